package app

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func processOf(id int) (process, bool) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", id)
	if err != nil {
		return process{}, false
	}
	began := p.Proc.P_starttime
	return process{int(p.Eproc.Ppid), unix.ByteSliceToString(p.Proc.P_comm[:]), fmt.Sprintf("%d.%06d", began.Sec, began.Usec)}, true
}
