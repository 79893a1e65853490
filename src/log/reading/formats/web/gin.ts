import {anyForm, type Format, group} from '../../form.ts';

const {status, took, client, method, path} = group;

/** Requests as Go's gin and Fiber report them. */
export const gin: Format = {
  starts: /[[\d]/,
  hint: text => text[9] === '|' || text.startsWith('[GIN]'),
  forms: [
    // [GIN] 2026/11/21 - 14:02:11 | 502 |    1.204512s |    203.0.113.9 | POST     "/checkout"
    anyForm`\[GIN\] (?<time>\d{4}/\d\d/\d\d - \d\d:\d\d:\d\d) \| *${status} *\| *${took} *\| *${client} *\| *${method} +"(?<path>[^"]*)"(?<b1>.*)`,
    // 14:02:11 | 404 | 1.2ms | 203.0.113.9 | GET | /checkout | -
    anyForm`(?<time>\d\d:\d\d:\d\d) *\| *${status} *\| *${took} *\| *${client} *\| *${method} *\| *${path}(?: *\| *(?<b1>.*))?`,
  ],
};
