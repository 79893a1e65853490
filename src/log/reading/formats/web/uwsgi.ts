import {anyForm, type Format, group} from '../../form.ts';

/** Requests as uWSGI reports them. */
export const uwsgi: Format = {
  starts: /\[/,
  hint: text => text.startsWith('[pid: '),
  forms: [
    // [pid: 12|app: 0|req: 3/9] 10.2.0.7 () {40 vars} [Sat Nov 21 14:02:11 2026] GET /cart => generated 157 bytes …
    anyForm`(?<b2>\[pid: [^\]]{1,64}\]) ${group.client} (?<b1>\([^)]{0,64}\) \{[^}]{1,64}\}) \[(?<time>[^\]]{20,30})\] ${group.method} ${group.path} => generated (?<bytes>\d{1,15}) bytes in (?<took>\d{1,9}) msecs \((?<protocol>HTTP/[\d.]{1,8}) ${group.status}\)(?<rest> .*)?`,
  ],
};
