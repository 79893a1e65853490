import {type Format, formOf, group, timedForm} from '../../tokens/form.ts';

const redisForm = formOf('any', {levels: {'.': 'debug', '-': 'debug', '*': 'info', '#': 'warn'}});

/** PostgreSQL, MySQL and Redis. */
export const database: Format = {
  starts: /\d/,
  hint: text => text.includes('[') || text.indexOf(':') < 11,
  forms: [
    // 2026-11-21 14:02:11.031 UTC [12] bob@shop ERROR:  relation "carts" does not exist
    timedForm`\[(?<b2>\d{1,10})\] (?:(?<logger>[\w-]{1,64}@[\w-]{1,64}) )?${group.upperLevel}: {1,2}${group.message}`,
    // 2026-11-21T14:02:11.031456Z 0 [ERROR] [MY-010584] [Repl] …
    timedForm`(?<b2>\d{1,10}) \[${group.level}\] \[(?<b1>MY-\d{1,8})\] \[(?<logger>\w{1,32})\] ${group.message}`,
    // 1:M 21 Nov 2026 14:02:11.031 # …
    redisForm`(?<b2>\d{1,10}:[XCSM]) (?<time>\d\d [A-Z][a-z]{2} (?:\d{4} )?\d\d:\d\d:\d\d\.\d{3}) (?<level>[.*#-]) ${group.message}`,
  ],
};
