import {type Format, group, letterForm} from '../../form.ts';

/** Kubernetes' klog and Google's glog, which may write the year. */
export const klog: Format = {
  starts: /[IWEF]/,
  hint: text => text.charCodeAt(1) <= 0x39 && text.includes('] '),
  forms: [
    // E1121 14:02:11.031000       1 reflector.go:138] …
    // E2026-11-21 14:02:11,031456 +0800 net sock.cc:12] …
    letterForm`(?<level>[IWEF])(?<time>(?:20\d\d)?\d{4} \d\d:\d\d:\d\d(?:\.\d{1,9})?|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d{1,9}(?: [+-]\d{4})?) {1,8}(?<b2>\w{1,32}) (?<logger>[\w./-]{1,64}:\d{1,6})\] ${group.message}`,
  ],
};
