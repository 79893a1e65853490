import {anyForm, type Format, group} from '../../form.ts';

const {status, method} = group;

/** Requests of IIS and of CloudFront, in the fields that they write unless told otherwise. */
export const iis: Format = {
  starts: /\d/,
  hint: text => text[4] === '-' && (text[19] === ' ' || text[10] === '\t'),
  forms: [
    // 2026-11-21 14:02:11 FRA50-C1 1234 203.0.113.9 GET d1.cloudfront.net /cart 502 …, with tabs between
    anyForm`(?<time>\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d)\t(?<b1>[\w-]{1,16})\t${group.bytes}\t${group.client}\t${method}\t(?<b2>[\w.-]{1,253})\t(?<path>/\S*)\t${status}(?<rest>\t.*)?`,
    // 2026-11-21 14:02:11 10.0.0.1 GET /cart - 443 - 203.0.113.9 Mozilla/5.0 - 500 0 0 1204
    anyForm`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (?<b1>[\da-f.:]{2,45}) ${method} (?<path>/\S*) (?<b2>\S+ \d{1,5} \S+) (?<client>[\da-f.:]{2,45}) (?<b3>\S+(?: \S+)?) ${status} (?<b4>\d{1,5} \d{1,12}) (?<took>\d{1,10})`,
  ],
};
