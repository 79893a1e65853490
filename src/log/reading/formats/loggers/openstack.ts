import {anyForm, type Format, group, timedForm} from '../../form.ts';

const rest = String.raw`(?<b3>\d{1,10}) ${group.upperLevel} ${group.dottedLogger} \[(?<b2>[^\]]{1,200})\] ${group.message}`;

/** OpenStack's services. */
export const openstack: Format = {
  hint: text => text.includes('] '),
  forms: [
    // 2017-05-16 00:00:00.008 2574 INFO nova.compute [req-3810e57a … - -] …
    timedForm`${rest}`,
    // With the file's name before it, as collections of such logs have it
    anyForm`(?<b1>[\w.-]{1,64}\.log[\w.:-]{0,64}) (?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) ${rest}`,
  ],
};
