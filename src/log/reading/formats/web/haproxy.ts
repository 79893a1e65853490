import {anyForm, type Format, group} from '../../form.ts';

const {status, client, method, path} = group;

/** HAProxy ends with the request: ` HTTP/1.1"`. */
const tailChars = 10;

/**
 * Requests of HAProxy, after what syslog puts before it: 203.0.113.9:51234 [21/Nov/2026:14:02:11.123] web~ shop/web1
 * 0/0/1/20/31 502 157 - - sH-- 12/12/3/1/0 0/0 "GET / HTTP/1.1"
 */
export const haproxy: Format = {
  hint: text => text.indexOf(' HTTP/', text.length - tailChars) > 0,
  forms: [
    anyForm`(?:(?<stamp>[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\S{6,32}) )?(?:(?<b4>[\w.-]{1,128} [\w./()-]{1,64}(?:\[\d{1,10}\])?|[\w.-]{1,64}\[\d{1,10}\]): )?${client} \[(?<time>[^\]]{20,40})\] (?<b1>\S{1,128} [^\s/]{1,128}/\S{1,128}) (?<b2>(?:-?\d{1,10}/){3}-?\d{1,10})/\+?(?<took>\d{1,10}) ${status} \+?${group.bytes} (?<b3>\S{1,128} \S{1,128} [\w-]{4} (?:\d{1,10}/){4}\+?\d{1,10} \d{1,10}/\d{1,10}(?: \{[^}]*\}){0,2}) "${method} ${path}(?: (?<protocol>HTTP/[\d.]{1,8}))?"`,
  ],
};
