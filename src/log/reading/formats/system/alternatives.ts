import {anyForm, type Format, group} from '../../form.ts';

/** The log of Debian's `update-alternatives`. */
export const alternatives: Format = {
  starts: /u/,
  hint: text => text.startsWith('update-alternatives '),
  forms: [
    // update-alternatives 2026-11-21 14:02:11: …
    anyForm`(?<logger>update-alternatives) (?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d): ${group.message}`,
  ],
};
