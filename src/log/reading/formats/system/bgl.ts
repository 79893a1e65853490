import {anyForm, type Format, formOf, group} from '../../form.ts';

const node = String.raw`[\w:/.#@+-]{1,64}`;

const blueGeneForm = formOf('any', {levels: {SEVERE: 'error', FAILURE: 'fatal'}});

/** The logs of large machines, whose lines begin with an alert's label (`-` for none) and seconds since 1970. */
export const bgl: Format = {
  starts: /[-A-Z]/,
  hint: text => text.startsWith(' ', text.indexOf(' ') + 11) && /^(?:-|[A-Z]{3,16}) \d{10} \d{4}\./.test(text),
  forms: [
    // Blue Gene/L: - 1117838570 2005.06.03 R02-M1-N0 2005-06-03-15.42.50.675872 R02-M1-N0 RAS KERNEL INFO cache …
    blueGeneForm`(?<b2>-|[A-Z]{3,16}) (?:\d{10}) \d{4}\.\d\d\.\d\d (?<b1>${node}) (?<time>\d{4}-\d\d-\d\d-[\d.]{8,15}) (?<b3>${node}) (?<logger>[A-Z]{1,16} [A-Z_]{1,16}) (?<level>[A-Z]{3,13}) ${group.message}`,
    // Thunderbird: - 1131566461 2005.11.09 dn228 Nov 9 12:01:01 dn228/dn228 crond(pam_unix)[2915]: session closed …
    anyForm`(?<b2>-|[A-Z_]{3,16}) (?:\d{10}) \d{4}\.\d\d\.\d\d (?<b1>${node}) (?<time>[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d) (?<b3>${node}) (?:(?<logger>[\w./()-]{1,64}(?:\[\d{1,10}\])?): )?${group.message}`,
  ],
};
