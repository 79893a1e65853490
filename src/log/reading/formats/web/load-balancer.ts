import {anyForm, type Format, group} from '../../form.ts';

const {status, client, bytes} = group;

/** Requests as logged by AWS's load balancers, Squid and Nginx Proxy Manager. */
export const loadBalancer: Format = {
  starts: /[[\dghw]/,
  hint: text => text.includes('://') || text.includes(' [Client '),
  forms: [
    // https 2026-11-21T14:02:11.031456Z app/shop/50dc6c495c0c9188 203.0.113.9:2817 10.2.0.7:80 0.000 1.204 0.000 502 …
    anyForm`(?<b2>https?|h2|grpcs?|wss?) (?<time>\d{4}-\d\d-\d\dT[\d:.]{8,16}Z) (?<b1>\S{1,128}) ${client} (?<b3>\S{1,64} (?:-?[\d.]{1,12} ){2}-?[\d.]{1,12}) ${status} \S{1,5} \d{1,15} ${bytes} "${group.method} (?<path>[^\s"]+)(?: (?<protocol>[^"]{1,16}))?"(?<rest> .*)?`,
    // 1795269731.031    180 203.0.113.9 TCP_MISS/503 411 GET http://example.com/ - DIRECT/198.51.100.1 text/html
    anyForm`(?<time>\d{10}\.\d{3}) {1,8}(?<took>\d{1,9}) ${client} (?<b1>[A-Z_]{3,32})/${status} ${bytes} ${group.method} (?<path>\S+)(?<rest> .*)?`,
    // [21/Nov/2026:14:02:11 +0000] - 502 502 - GET https shop.example "/cart" [Client 203.0.113.9] [Length 366] …
    anyForm`\[(?<time>\d\d/[A-Z][a-z]{2}/\d{4}:[\d:]{8} [+-]\d{4})\] (?:[A-Z-]{1,16} (?:\d{3}|-) )?${status} - ${group.method} (?<b1>https? \S{1,253}) "(?<path>[^"]*)" \[Client ${client}\] \[Length ${bytes}\](?<rest> .*)?`,
  ],
};
