package session
import ("testing";"fmt";"syscall";"time";"runtime")
func BenchmarkCPU(b *testing.B) {
  for _, n := range []int{1,50,10000} { b.Run(fmt.Sprint(n), func(b *testing.B) {
	root := manyRecords(b, n)
	for _, open := range []bool{false,true} {
	var a, z syscall.Rusage
	syscall.Getrusage(0,&a); n:=0; t0:=time.Now(); best := time.Hour
	for range 6 { n++; t1:=time.Now(); if open { s,_ := Open(root, Options{}); if s.Len()!=10000 {b.Fatal()} } else if r,_ := ReadAll(root); len(r)!=10000 { b.Fatal() }; best=min(best,time.Since(t1)) }
	syscall.Getrusage(0,&z)
	fmt.Println(open, "cpu/op", time.Duration((z.Utime.Nano()-a.Utime.Nano()+z.Stime.Nano()-a.Stime.Nano())/int64(n)), "wall", time.Since(t0)/time.Duration(n), "best", best)
	}
	if n == 50 { runtime.GC(); var m0,m1 runtime.MemStats; runtime.ReadMemStats(&m0); s,_ := Open(root, Options{}); runtime.GC(); runtime.ReadMemStats(&m1); fmt.Println("heap MB", (m1.HeapAlloc-m0.HeapAlloc)>>20, m1.HeapAlloc>>20); runtime.KeepAlive(s) }
  })}
}
