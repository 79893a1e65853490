import {anyForm, type Format, group} from '../../form.ts';

const {status, took, method, path} = group;
const bytes = String.raw`(?:(?<bytes>\d{1,15})|-)`;
const head = String.raw`(?:(?<client>\S{1,64}) (?<b1>\S{1,64}) )?${method} ${path} (?:(?<b2>HTTP/[\d.]{1,8}) )?${status}`;

/** The end of a line of morgan is nearer than this. */
const tailChars = 20;

/** Requests as Express reports them by morgan, in its forms dev, tiny and short; the others are access lines. */
export const morgan: Format = {
  hint: text => text.endsWith(' ms') || text.indexOf(' ms - ', text.length - tailChars) > 0,
  forms: [
    // GET /cart 502 1.2 ms - 157
    anyForm`${head} ${took} - ${bytes}`,
    // GET /cart 502 157 - 1.2 ms
    anyForm`${head} ${bytes} - ${took}`,
  ],
};
