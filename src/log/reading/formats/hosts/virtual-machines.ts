import {type Format, formOf, group, tellingForm} from '../../form.ts';

const time = String.raw`(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d))`;
const kernelForm = formOf('any', {levels: {ALERT: 'error'}});

/** Programs that run virtual machines: VMware's services and kernel, libvirt. */
export const virtualMachines: Format = {
  starts: /\d/,
  hint: text =>
    text.startsWith(': ', 28) || (text[10] === 'T' && /(?: \[Originator@|\)(?:WARNING|ALERT): )/.test(text)),
  forms: [
    // 2026-11-21T14:02:11.031Z warning hostd[2099] [Originator@6876 sub=Hostsvc] …
    tellingForm`${time} ${group.level} (?<logger>[\w-]{1,64})\[(?<b2>\w{1,20})\] (?<b1>\[Originator@\d{1,6} [^\]]{1,200}\]) ${group.message}`,
    // 2026-11-21T14:02:11.031Z cpu3:2097)WARNING: ScsiDeviceIO: 1234: …
    kernelForm`${time} (?<b2>cpu\d{1,4}:\d{1,10}(?: opID=\w{1,32})?)\)(?<level>WARNING|ALERT): ${group.message}`,
    // 2026-11-21 14:02:11.031+0000: 1234: error : virNetSocketReadWire:1806 : End of file
    tellingForm`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}[+-]\d{4}): (?<b2>\d{1,10}): ${group.level} : (?<logger>\w{1,64}:\d{1,6}) : ${group.message}`,
  ],
};
