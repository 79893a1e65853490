import {bracketedForm, type Format, group} from '../../form.ts';

/** Apache's error log. */
export const apacheError: Format = {
  forms: [
    // [Sat Nov 21 14:02:11.123456 2026] [core:error] [pid 12:tid 34] [client 10.2.0.7:80] AH00126: …
    bracketedForm`\[(?:(?<b2>\w{1,32}):)?${group.level}\d?\] (?:\[(?<b3>pid [^\]]{1,64})\] )?(?:\[(?<b1>client [^\]]{1,64})\] )?${group.message}`,
  ],
};
