package heartbeat

import (
	"maps"
	"reflect"

	"the-loop/poller"
)

type wireCounts struct {
	Deliveries map[string]int `json:"deliveries,omitempty"`
	Sessions   map[string]int `json:"sessions,omitempty"`
}

type wireQuota struct {
	Limit     int    `json:"limit"`
	Remaining int    `json:"remaining"`
	ResetAt   string `json:"resetAt"`
}

// toWireCounts returns nil until something has been counted.
func toWireCounts(c poller.Counts) *wireCounts {
	if len(c.Deliveries)+len(c.Sessions) == 0 {
		return nil
	}
	return &wireCounts{c.Deliveries, c.Sessions}
}

func toWireQuotas(quotas map[string]Quota) map[string]wireQuota {
	wire := map[string]wireQuota{}
	for host, q := range quotas {
		wire[host] = wireQuota{q.Limit, q.Remaining, stamp(q.ResetAt)}
	}
	return wire
}

func (o object) counts() poller.Counts {
	return poller.Counts{Deliveries: o.object("deliveries").ints(), Sessions: o.object("sessions").ints()}
}

// ints returns the members that are whole numbers and not 0, nil if there are none.
func (o object) ints() map[string]int {
	var out map[string]int
	for name := range o {
		if n := o.int(name); n != 0 {
			if out == nil {
				out = map[string]int{}
			}
			out[name] = n
		}
	}
	return out
}

func (o object) quotas() map[string]Quota {
	var out map[string]Quota
	for host := range o {
		if out == nil {
			out = map[string]Quota{}
		}
		q := o.object(host)
		out[host] = Quota{Limit: q.int("limit"), Remaining: q.int("remaining"), ResetAt: q.time("resetAt")}
	}
	return out
}

// SetQuotas records how much of each host's quota is left. The next write shows it.
func (r *Recorder) SetQuotas(quotas map[string]Quota) {
	r.update(func() bool {
		if reflect.DeepEqual(quotas, r.file.Quotas) {
			return false
		}
		r.file.Quotas = maps.Clone(quotas)
		return true
	})
}
