import type {Level} from '#log/tokens/level-words.ts';

/** A pattern of what a program of the system says, and its level; the worst first. */
type Saying = readonly [pattern: RegExp, level: Level];

/** The syslog daemon's prefix of a message, up to the program; containers often have only the program. */
const syslogHead =
  /^(?:(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)) \S{1,64} )?([A-Za-z][\w.-]{0,31})(?:\/[\w/-]{1,32})?(?:\([\w:-]{1,32}\))?(?:\[\d{1,10}\])?: +/;
const kernelClock =
  /^(?:<\d>)?\[(?: *\d{1,9}\.\d{3,9}|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})\] ?(?:\S{1,64} kernel: )?/;

const ofKernel: readonly Saying[] = [
  [/^Kernel panic - /, 'fatal'],
  [
    /^(?:Memory cgroup out of memory: ?|Out of memory(?: and no killable processes)?: ?|Killed process \d+ \()/i,
    'error',
  ],
  [/^\S{1,32}\[\d+\]: segfault at [\da-f]/, 'error'],
  [/^traps: \S{1,32}\[\d+\] (?:general protection|trap )/, 'error'],
  [/^(?:(?:watchdog: )?BUG: |Oops: |general protection fault|(?:blk_update_request: )?I\/O error, dev )/, 'error'],
  [/^(?:EXT[234]-fs|BTRFS) (?:error|critical) \(device /, 'error'],
  [/^(?:\S{1,32} invoked oom-killer: |oom-kill:constraint=|\S{1,32}: page allocation failure)/, 'warn'],
  [/^ata\d{1,3}(?:\.\d{1,3})?: (?:exception Emask |failed command: )/, 'error'],
  [/^(?:TCP: )?request_sock_TCP(?:v6)?: Possible SYN flooding /, 'warn'],
  [
    /^(?:nf_conntrack: (?:nf_conntrack: )?table full|TCP: out of memory|(?:net_ratelimit|neighbou?r): .*table overflow)/,
    'warn',
  ],
];

const ofAny: readonly Saying[] = [
  [/^(?:pam_\w+\([\w:-]+\): )?authentication failure;/, 'warn'],
  // Django
  [/^Internal Server Error: \//, 'error'],
  [/^(?:Not Found|Bad Request): \//, 'warn'],
  // WordPress, SQL Server
  [/\bWordPress database error /, 'error'],
  [/\bError: \d{1,6}, Severity: \d{1,2}, State: \d/, 'error'],
  [/ Login failed for user '/, 'warn'],
];

const ofPostfix: readonly Saying[] = [
  [/ status=bounced /, 'error'],
  [/ status=deferred |^NOQUEUE: reject: /, 'warn'],
];

const ofLogin: readonly Saying[] = [
  ...ofAny,
  [/^(?:message repeated \d+ times: \[ )?Failed [\w/-]{1,32} for /, 'warn'],
  [/^(?:Invalid user |Illegal user |input_userauth_request: invalid user )/, 'warn'],
  [/^(?:PAM \d+ more |(?:Disconnecting[^:]{0,80}: )?Too many )authentication failures?\b/, 'warn'],
  [/POSSIBLE BREAK-IN ATTEMPT!/, 'warn'],
  [/^(?:pam_\w+\([\w:-]+\): )?check pass; user unknown/, 'warn'],
];

const ofSudo: readonly Saying[] = [
  [/ : (?:\d+ incorrect password attempts?|user NOT (?:in sudoers|authorized)|command not allowed) ;/, 'warn'],
  [/^(?:FAILED SU|FAILED su for) /, 'warn'],
  ...ofLogin,
];

/** Refusals of the remote login of Kerberos. */
const ofKerberos: readonly Saying[] = [[/^(?:Kerberos authentication failed|Authentication failed from )/, 'warn']];

const ofSystemd: readonly Saying[] = [
  [/^(?:Failed to (?:start|mount|listen|activate|run) |Dependency failed for )/, 'error'],
  [/^[\w@.:\\-]{1,128}: Failed with result '/, 'warn'],
];

const ofHaproxy: readonly Saying[] = [
  [/^(?:backend|proxy) \S{1,128} has no server available!/, 'fatal'],
  [/^(?:Backup )?Server \S{1,128} is DOWN[,.]/, 'error'],
];

const sayingsOf: ReadonlyMap<string, readonly Saying[]> = new Map([
  ['sshd', ofLogin],
  ['sshd-session', ofLogin],
  ['login', ofLogin],
  ['klogind', ofKerberos],
  ['sudo', ofSudo],
  ['su', ofSudo],
  ['systemd', ofSystemd],
  ['postfix', ofPostfix],
  ['haproxy', ofHaproxy],
]);

/** Without a program before it, only what can't be anything else. */
const sshdAlone =
  /^(?:Failed [\w/-]{1,32} for (?:invalid user )?\S{1,64}|Invalid user \S{0,64}) from [\da-fA-F.:]{3,45} port \d+/;

const herokuError = /^(?:\S{19,40} )?heroku\[[\w.]{1,32}\]: Error [A-Z]\d\d\b/;

/** Returns what the program wrote after which the syslog daemon put the time, the host and the program. */
export const messageOfSyslog = (text: string): string | undefined => {
  const head = text.includes(']: ') ? syslogHead.exec(text)?.[0] : undefined;
  return head === undefined ? undefined : text.slice(head.length);
};

/**
 * Returns the level of what the kernel, systemd, sshd, su, sudo and Heroku say without a level: processes killed for
 * memory, segmentation faults, units that failed, refused logins; undefined for other lines.
 */
export const levelOfSystem = (text: string): Level | undefined => {
  if (!text.includes(':')) {
    return sshdAlone.test(text) ? 'warn' : undefined;
  }
  if (text.includes('heroku[') && herokuError.test(text)) {
    return 'error';
  }
  const head = syslogHead.exec(text);
  const program = head?.[1]?.toLowerCase() ?? '';
  const message = head === null ? text : text.slice(head[0].length);
  const clock = head === null || program === 'kernel' ? (kernelClock.exec(message)?.[0] ?? '') : '';
  const isKernel = program === 'kernel' || clock !== '';
  const sayings = isKernel ? ofKernel : head === null ? ofAny : (sayingsOf.get(program) ?? ofAny);
  const said = message.slice(clock.length);
  return sayings.find(([pattern]) => pattern.test(said))?.[1];
};
