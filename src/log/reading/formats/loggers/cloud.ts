import {anyForm, type Format, formOf, group, tellingForm} from '../../form.ts';

const timeoutForm = formOf('any', {levels: {'Task timed out': 'error'}});
const level = '(?<level>trace|debug|info|warn|warning|error|fatal|critical)';

/** Software that runs around an application: Envoy, Fluentd, AWS Lambda, cloud-init. */
export const cloud: Format = {
  starts: /[[\dC]/,
  hint: text =>
    text.startsWith('Cloud-init v. ') ||
    text.includes('][') ||
    text.includes(']: ') ||
    (text[10] === 'T' && text[23] === 'Z'),
  forms: [
    // [2026-11-21 14:02:11.031][12][error][config] [source/server/server.cc:96] …
    tellingForm`\[(?<time>\d{4}-[^\]]{10,30})\]\[(?<b2>\d{1,10})\]\[${level}\]\[(?<logger>[\w.-]{1,32})\] (?:\[(?<b1>[\w/.:-]{1,128})\] )?${group.message}`,
    // 2026-11-21 14:02:11 +0000 [warn]: #0 failed to flush the buffer
    tellingForm`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}) \[${level}\]: (?:(?<b2>#\d{1,5}) )?${group.message}`,
    // 2026-11-21T14:02:11.031Z, the id of a request, ERROR and a message, between tabs
    anyForm`(?<time>\d{4}-\d\d-\d\dT[\d:.]{8,16}Z)\s{1,8}(?<b2>[\da-f-]{36})\s{1,8}${group.upperLevel}\s{1,8}${group.message}`,
    // Cloud-init v. 24.1.3 running 'modules:final' at Sat, 21 Nov 2026 14:02:11 +0000. Up 12.30 seconds.
    anyForm`(?<message>Cloud-init v\. .{1,80} at (?<time>[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} [\d:]{8} [+-]\d{4})\. .*)`,
    timeoutForm`(?<time>\d{4}-\d\d-\d\dT[\d:.]{8,16}Z) (?<b2>[\da-f-]{36}) (?<message>(?<level>Task timed out) after .*)`,
  ],
};
