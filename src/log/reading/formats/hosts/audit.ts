import {anyForm, type Format, formOf, group} from '../../form.ts';

const form = formOf('any', {levels: {denied: 'warn'}});
const head = String.raw`(?:node=\S{1,128} )?type=(?<logger>[A-Z_]{2,32}) msg=audit\((?<time>\d{10}\.\d{3}):(?<b2>\d{1,12})\): `;

/** The audit log of Linux: what SELinux refuses is a warning. */
export const audit: Format = {
  starts: /[nt]/,
  hint: text => text.includes('msg=audit('),
  forms: [
    // type=AVC msg=audit(1795269731.031:456): avc:  denied  { read } …
    form`${head}(?<message>avc: {1,2}(?<level>denied) .*)`,
    anyForm`${head}${group.message}`,
  ],
};
