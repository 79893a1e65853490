import {type Format, formOf, group, letterForm, tellingForm, timedForm} from '../../form.ts';

const redisForm = formOf('any', {levels: {'.': 'debug', '-': 'debug', '*': 'info', '#': 'warn'}});

const oracleForm = formOf('any', {levels: {ORA: 'error', TNS: 'error', RMAN: 'error', PLS: 'error'}});
const clickhouseForm = formOf('any', {levels: {Information: 'info', Test: 'trace'}});

/** PostgreSQL, MySQL, Redis, Oracle, ClickHouse and CockroachDB. */
export const database: Format = {
  starts: /[\dIWEFOTRP]/,
  hint: text => text.includes('[') || text.indexOf(':') < 11,
  forms: [
    // 2026-11-21 14:02:11.031 UTC [12] bob@shop ERROR:  relation "carts" does not exist
    timedForm`\[(?<b2>\d{1,10})\] (?:(?<logger>[\w-]{1,64}@[\w-]{1,64}) )?${group.upperLevel}: {1,2}${group.message}`,
    // 2026-11-21 14:02:11 UTC:10.0.0.7(40312):bob@shop:[12]:ERROR:  … (Amazon's RDS)
    tellingForm`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{3})? [A-Z]{3,4}):(?<b1>[^\s:]{0,64}):(?<logger>[^\s:]{0,128}):\[(?<b2>\d{1,10})\]:(?<level>[A-Z]{3,9}\d?): {1,2}${group.message}`,
    // 2026-11-21T14:02:11.031456Z 0 [ERROR] [MY-010584] [Repl] …
    timedForm`(?<b2>\d{1,10}) \[${group.level}\] \[(?<b1>MY-\d{1,8})\] \[(?<logger>\w{1,32})\] ${group.message}`,
    // 1:M 21 Nov 2026 14:02:11.031 # …
    redisForm`(?<b2>\d{1,10}:[XCSM]) (?<time>\d\d [A-Z][a-z]{2} (?:\d{4} )?\d\d:\d\d:\d\d\.\d{3}) (?<level>[.*#-]) ${group.message}`,
    // ORA-00600: …
    oracleForm`(?<message>(?<level>ORA|TNS|RMAN|PLS)-(?!00000)\d{5}: .*)`,
    // 2026.11.21 14:02:11.031456 [ 12 ] {0a1b} <Error> executeQuery: …
    clickhouseForm`(?<time>\d{4}\.\d\d\.\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?) (?<b2>\[ \d{1,10} \]) (?:(?<b1>\{[\w:-]{0,128}\}) )?<(?<level>Fatal|Critical|Error|Warning|Notice|Information|Debug|Trace|Test)> ${group.message}`,
    // E261121 14:02:11.031456 123 server/node.go:12 ⋮ [n1] …
    letterForm`(?<level>[IWEF])(?<time>\d{6} \d\d:\d\d:\d\d\.\d{6}) (?<b2>\d{1,10}) (?<logger>[\w./@-]{1,128}:\d{1,6}) {1,2}(?:⋮ )?${group.message}`,
  ],
};
