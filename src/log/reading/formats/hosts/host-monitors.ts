import {type Format, formOf, group, letterForm, tellingForm} from '../../form.ts';

const {level, logger, message} = group;
const alertForm = formOf('any', {
  levels: {
    WARNING: 'warn',
    CRITICAL: 'error',
    UNKNOWN: 'warn',
    OK: 'info',
    UP: 'info',
    DOWN: 'error',
    UNREACHABLE: 'error',
  },
});
const icingaForm = formOf('any', {levels: {information: 'info', critical: 'error'}});

const bracketed = /^\[(?:\d{10}\] |\d{4}[-/]|[A-Z]{3,4} )/;

/** Programs that watch hosts and carry their logs: Nagios, Icinga, monit, Suricata, Fluent Bit, Datadog's agent. */
export const hostMonitors: Format = {
  starts: /[[\d]/,
  hint: text =>
    text.startsWith('[') ? bracketed.test(text) : text.startsWith(' -- ', 10) || text.startsWith(' | ', 23),
  forms: [
    // [1795269731] SERVICE ALERT: web1;HTTP;CRITICAL;HARD;3;Connection refused
    alertForm`\[(?<time>\d{10})\] (?<message>(?:HOST|SERVICE) (?:FLAPPING )?ALERT: [^;]{1,128};(?:[^;]{1,128};)?(?<level>OK|UP|WARNING|CRITICAL|UNKNOWN|DOWN|UNREACHABLE);.*)`,
    // [2026-11-21 14:02:11 +0000] critical/ApiListener: … (Icinga)
    icingaForm`\[(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4})\] (?<level>debug|notice|information|warning|critical)/(?<logger>\w{1,64}): ${message}`,
    // [2026/11/21 14:02:11] [ warn] [output:es:es.0] … (Fluent Bit)
    tellingForm`\[(?<time>\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})?)\] \[ {0,2}${level}\] (?:\[(?<logger>[^\]]{1,128})\] )?${message}`,
    // [UTC Nov 21 14:02:11] error    : 'nginx' process is not running (monit)
    tellingForm`\[[A-Z]{3,4} (?<time>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d)\] ${level} {0,5}: ${message}`,
    // 21/11/2026 -- 14:02:11 - <Error> - [ERRCODE: …] - … (Suricata)
    tellingForm`(?<time>\d{1,2}/\d{1,2}/\d{4} -- \d\d:\d\d:\d\d) - <${level}> - ${message}`,
    // 2026-11-21 14:02:11 UTC | CORE | ERROR | (pkg/runner.go:292 in work) | … (Datadog)
    tellingForm`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]{3}) \| ${logger} \| ${level} \| (?:\((?<b2>[^)]{1,200})\) \| )?${message}`,
  ],
};

/** Services of storage, networks and printing: GlusterFS, CUPS, OpenVPN, Passenger. */
export const daemons: Format = {
  starts: /[[A-Z\d]/,
  hint: text =>
    /^(?:. \[|\[ )/.test(text) ||
    text.startsWith('] ', 27) ||
    text.startsWith('] ', 33) ||
    text.includes(' TLS Error: '),
  forms: [
    // [2026-11-21 14:02:11.031456 +0000] E [MSGID: 101063] [client.c:123:cb] 0-vol: … (GlusterFS)
    letterForm`\[(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}(?: [+-]\d{4})?)\] (?<level>[TDINWEC]) (?<b2>(?:\[[^\]]{1,128}\] ){1,2})(?<logger>[\w.-]{1,64}): ${message}`,
    // E [21/Nov/2026:14:02:11 +0000] … (CUPS)
    letterForm`(?<level>[DINWEC]) \[(?<time>\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\] ${message}`,
    // 2026-11-21 14:02:11 TLS Error: … (OpenVPN)
    letterForm`(?<time>(?:\d{4}-\d\d-\d\d|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d) \d\d:\d\d:\d\d(?: \d{4})?) (?:us=\d{1,6} )?(?:(?<b2>[\w.:/-]{1,128}) )?(?<message>TLS (?<level>E)rror: .*)`,
    // [ E 2026-11-21 14:02:11.0314 123/T1 age/Cor/App.h:221 ]: … (Passenger)
    letterForm`\[ (?<level>[DINWEC]) (?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{1,6}) (?<b2>\S{1,32}) (?<logger>\S{1,128}) \]: ${message}`,
  ],
};
