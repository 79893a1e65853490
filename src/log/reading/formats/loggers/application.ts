import {anyForm, bracketedForm, type Format, group, timedForm} from '../../tokens/form.ts';

/** Loggers of applications as their frameworks set them: Loguru, Serilog, Gunicorn, NestJS. */
export const application: Format = {
  hint: text => text.startsWith('[') || text.includes(' | '),
  forms: [
    // 2026-11-21 14:02:11.031 | ERROR    | shop.cart:pay:12 - …
    timedForm`\| ${group.upperLevel} {0,5} \| (?<logger>[\w.:<>-]{1,160}) - ${group.message}`,
    // [14:02:11 ERR] …
    anyForm`\[(?<time>\d\d:\d\d:\d\d) (?<level>VRB|DBG|INF|WRN|ERR|FTL)\] ${group.message}`,
    // [2026-11-21 14:02:11 +0000] [12] [ERROR] …
    bracketedForm`\[(?<b2>\d{1,10})\] \[${group.upperLevel}\] ${group.message}`,
    // [Nest] 12  - 11/21/2026, 2:02:11 PM   ERROR [CartService] …
    anyForm`\[Nest\] (?<b2>\d{1,10}) {1,4}- (?<time>\d\d/\d\d/\d{4}, \d{1,2}:\d\d:\d\d [AP]M) {1,8}${group.upperLevel} (?:\[(?<logger>[\w.$ -]{1,128})\] )?${group.message}`,
  ],
};
