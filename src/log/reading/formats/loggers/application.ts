import {anyForm, bracketedForm, type Format, formOf, group, letterForm, tellingForm, timedForm} from '../../form.ts';

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

/** Samba counts from what always is to be known (0) to what is of use only to its authors. */
const sambaForm = formOf('any', {levels: {0: 'error', 1: 'warn', 2: 'info', 3: 'info'}});
const capitalised = /^.{24}(?:Debug|Info|Warn|Error|Fatal) [A-Z]/;
const reportForm = formOf('any', {levels: {CRASH: 'error'}});
const daemon = /^(?:\d{10}: |\[\d{1,10}\] (?:unbound\[|\d{4}\/))/;

/** Applications that write their level or time where no other does: Minecraft, Salt, Gitea, Erlang, NATS, NLog. */
export const ownLevels: Format = {
  starts: /[[\d=]/,
  hint: text =>
    text.includes('][') ||
    text.includes('() [') ||
    text.startsWith('=') ||
    text.startsWith(',  ', 27) ||
    text.startsWith('] [', 9) ||
    text[19] === '|' ||
    text[24] === '|' ||
    text.startsWith('::', 23) ||
    (text[23] === ' ' && capitalised.test(text)) ||
    daemon.test(text),
  forms: [
    // [14:02:11] [Server thread/WARN]: … (Minecraft)
    tellingForm`\[(?<time>\d\d:\d\d:\d\d)\] \[(?<b2>[^\]/]{1,64})/${group.upperLevel}\]: ${group.message}`,
    // 2026-11-21 14:02:11,031 [salt.minion      :12][ERROR   ][123] …
    tellingForm`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}) \[(?<logger>[\w.]{1,64}) {0,32}:\d{1,6} {0,8}\]\[${group.upperLevel} {0,8}\](?:\[(?<b2>\d{1,10})\])? ${group.message}`,
    // 2026/11/21 14:02:11 ...es/repo/view.go:12:Home() [E] … (Gitea)
    letterForm`(?<time>\d{4}/\d\d/\d\d \d\d:\d\d:\d\d) (?<logger>\S{1,128}\(\)) \[(?<level>[TDINWECF])\] (?:\[(?<b2>[\da-f-]{1,36})\] )?${group.message}`,
    // [2026-11-21 14:02:11.031][shop::cart][ERROR] … (fern, of Rust)
    tellingForm`\[(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{3})?(?:[+-]\d{4})?)\]\[(?<logger>[\w:]{1,160})\]\[${group.upperLevel}\] ${group.message}`,
    // 2026-11-21 14:02:11,031::WARNING::[interface:657] … (SABnzbd)
    tellingForm`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3})::${group.upperLevel}::\[(?<logger>[\w.:]{1,160})\] ${group.message}`,
    // 2026-11-21 14:02:11.031 Warn Server: … (Emby), 2026-11-21T14:02:11.031Z [warn][API]: … (Overseerr)
    tellingForm`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) (?<level>Debug|Info|Warn|Error|Fatal) (?<logger>[A-Z][\w ]{1,64}): ${group.message}`,
    tellingForm`(?<time>\d{4}-\d\d-\d\dT[\d:.]{8,16}Z) \[${group.level}\]\[(?<logger>[^\]]{1,64})\]: ${group.message}`,
    // 2026-11-21 14:02:11.0310|WARN|Shop.Cart|… (NLog)
    tellingForm`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?)\|(?:\d{1,6}\|)?${group.level}\|(?<logger>[^|]{1,160})\|${group.message}`,
    // 2026-11-21 14:02:11 [10.0.0.7][-][-][error][yii\db\Exception] …
    tellingForm`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (?<b2>(?:\[[^\]]{1,64}\]){3})\[${group.level}\]\[(?<logger>[^\]]{1,160})\] ${group.message}`,
    // [12] 2026/11/21 14:02:11.031456 [ERR] … (NATS)
    tellingForm`\[(?<b2>\d{1,10})\] (?<time>\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{6}) \[(?<level>ERR|WRN|INF|DBG|TRC|FTL)\] ${group.message}`,
    // 1795269731: Error: … (Mosquitto), [1795269731] unbound[12:0] error: …
    anyForm`(?<time>\d{10}): (?<level>Error|Warning): ${group.message}`,
    anyForm`(?<time>\d{10}): ${group.message}`,
    anyForm`\[(?<time>\d{10})\] (?<logger>unbound)\[(?<b2>[\d:]{1,16})\] (?<level>error|warning|notice|info|debug): ${group.message}`,
    // [2026/11/21 14:02:11.031456,  0, pid=12] ../source3/smbd/server.c:1234(main)
    sambaForm`\[(?<time>\d{4}/\d\d/\d\d [\d:.]{8,15}), {1,2}(?<level>\d)(?:, (?<b2>[^\]]{1,160}))?\] ${group.message}`,
    // =ERROR REPORT==== 21-Nov-2026::14:02:11.031 ===
    reportForm`=(?<message>(?<level>ERROR|WARNING|INFO|CRASH|SUPERVISOR|PROGRESS) REPORT)==== (?<time>\d{1,2}-[A-Z][a-z]{2}-\d{4}::[\d:.]{8,15}) ===`,
  ],
};
