import {anyForm, type Format, group} from '../../form.ts';

/** Ruby's Logger, which Rails has too. */
export const ruby: Format = {
  starts: /[DIWEFA]/,
  hint: text => text.startsWith(', [', 1),
  forms: [
    // E, [2026-11-21T14:02:11.123456 #12] ERROR -- shop: checkout failed
    anyForm`[DIWEFA], \[(?<time>\d{4}-\S{10,30}) #(?<b2>\d{1,10})\] {1,3}${group.upperLevel} -- (?<logger>[\w:.-]{0,128}): (?:\[(?<b1>[\da-f-]{32,36})\] )?${group.message}`,
  ],
};
