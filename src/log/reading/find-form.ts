import {findTimeEnd} from '#log/tokens/find-tokens.ts';
import {type Level, levelOfStatus, levelOfWord} from '#log/tokens/level-words.ts';
import {
  type Before,
  type Form,
  type Format,
  type FormPart,
  hasPart,
  type Piece,
  type PlacedParts,
  type ReadTexts,
} from './form.ts';
import {audit} from './formats/hosts/audit.ts';
import {cisco} from './formats/hosts/cisco.ts';
import {daemons, hostMonitors} from './formats/hosts/host-monitors.ts';
import {macos} from './formats/hosts/macos.ts';
import {virtualMachines} from './formats/hosts/virtual-machines.ts';
import {xorg} from './formats/hosts/xorg.ts';
import {application, ownLevels} from './formats/loggers/application.ts';
import {chromium} from './formats/loggers/chromium.ts';
import {cloud} from './formats/loggers/cloud.ts';
import {database} from './formats/loggers/database.ts';
import {elasticsearch} from './formats/loggers/elasticsearch.ts';
import {java, javaServers} from './formats/loggers/java.ts';
import {monolog} from './formats/loggers/monolog.ts';
import {openstack} from './formats/loggers/openstack.ts';
import {python, tornado} from './formats/loggers/python.ts';
import {ruby} from './formats/loggers/ruby.ts';
import {telegraf} from './formats/loggers/telegraf.ts';
import {timed} from './formats/loggers/timed.ts';
import {alternatives} from './formats/system/alternatives.ts';
import {android} from './formats/system/android.ts';
import {bgl} from './formats/system/bgl.ts';
import {buildTools} from './formats/system/build-tools.ts';
import {healthApp} from './formats/system/health-app.ts';
import {hpc} from './formats/system/hpc.ts';
import {klog} from './formats/system/klog.ts';
import {kubeEvent} from './formats/system/kube-event.ts';
import {proxifier} from './formats/system/proxifier.ts';
import {syslog} from './formats/system/syslog.ts';
import {windowsCbs} from './formats/system/windows-cbs.ts';
import {access, looseAccess} from './formats/web/access.ts';
import {apacheError} from './formats/web/apache-error.ts';
import {gin} from './formats/web/gin.ts';
import {haproxy} from './formats/web/haproxy.ts';
import {iis} from './formats/web/iis.ts';
import {loadBalancer} from './formats/web/load-balancer.ts';
import {morgan} from './formats/web/morgan.ts';
import {nginxError} from './formats/web/nginx-error.ts';
import {nodeDev} from './formats/web/node-dev.ts';
import {php} from './formats/web/php.ts';
import {rails} from './formats/web/rails.ts';
import {uwsgi} from './formats/web/uwsgi.ts';

/** All formats of text lines, in the order in which they are tried: exact ones first. */
const formats: readonly Format[] = [
  ...[android, klog, kubeEvent, windowsCbs, chromium, cloud, telegraf, proxifier, bgl, hpc, healthApp],
  ...[audit, cisco, macos, xorg, hostMonitors, daemons, virtualMachines, loadBalancer, uwsgi],
  ...[javaServers, ownLevels, tornado, alternatives, buildTools],
  ...[iis, access, looseAccess, gin, morgan, nodeDev, haproxy, rails, php, monolog, nginxError, apacheError],
  ...[python, ruby, elasticsearch, database, application, java, openstack, timed, syslog],
];

/** Checks whether a form is one of access lines. */
export const isAccessForm = (form: Form): boolean => access.forms.includes(form) || looseAccess.forms.includes(form);

/** Checks whether a form is one of the syslog daemon's. */
export const isSyslogForm = (form: Form): boolean => syslog.forms.includes(form);

/** A form that a line may have. */
type Candidate = Pick<Form, 'pattern' | 'groups'> & {
  readonly form: Form;
  readonly isAfterHead: boolean;
  /** It fits no line without a level. */
  readonly needsLevel: boolean;
};

/** The forms of a format that a line may have, all of them only if the format's hint holds. */
type Candidates = {readonly hint: Format['hint']; readonly forms: readonly Candidate[]};

/**
 * Returns the forms that pass a filter as candidates by the first sign of a line, found once for each; forms after a
 * head may begin with any sign.
 */
const byFirst = (
  isAfterHead: (form: Form) => boolean,
  filter: (form: Form) => boolean,
): ((text: string) => readonly Candidates[]) => {
  const known: (readonly Candidates[])[] = [];
  const candidatesFor = (first: string): readonly Candidates[] =>
    formats
      .map(({hint, starts, forms}) => ({
        hint,
        forms: forms
          .filter(form => isAfterHead(form) || (filter(form) && (starts?.test(first) ?? true)))
          .map(form => ({
            form,
            // Of its own, since they are asked for at every line, and the form makes them when they are.
            pattern: form.pattern,
            groups: form.groups,
            isAfterHead: isAfterHead(form),
            needsLevel: !form.tellsLevel && hasPart(form, 'level'),
          })),
      }))
      .filter(({forms}) => forms.length > 0);
  return text => {
    // Signs other than those of ASCII begin no form of their own.
    const code = Math.min(text.charCodeAt(0) || 0, 0x7f);
    known[code] ??= candidatesFor(String.fromCharCode(code));
    return known[code];
  };
};

const formsAfter = (before: Before): ((text: string) => readonly Candidates[]) =>
  byFirst(
    form => before !== 'any' && form.before.includes(before),
    form => form.before.includes('any'),
  );
const byHead = {any: formsAfter('any'), time: formsAfter('time'), bracketed: formsAfter('bracketed')} as const;
const telling = byFirst(
  () => false,
  form => form.tellsLevel && !isAccessForm(form),
);

/** The prefix of a form, and where the form begins after it. */
export type Head = {readonly before: Before; readonly time: Piece | undefined; readonly next: number};

/** The form that a line has, and the texts of its parts. */
export type FoundForm = {readonly form: Form; readonly start: number; readonly texts: ReadTexts};

/** Reads the time with which a line begins, in brackets or not, and the blank after it. */
export const readHead = (text: string): Head => {
  const isBracketed = text.startsWith('[');
  const start = isBracketed ? 1 : 0;
  const end = findTimeEnd(text, start, !isBracketed);
  const close = isBracketed ? '] ' : ' ';
  if (end === -1 || !text.startsWith(close, end)) {
    return {before: 'any', time: undefined, next: 0};
  }
  let next = end + close.length;
  while (text[next] === ' ') {
    next += 1;
  }
  return {before: isBracketed ? 'bracketed' : 'time', time: {start, end}, next};
};

const tryForm = ({form, pattern, groups}: Candidate, text: string, start: number): FoundForm | undefined => {
  pattern.lastIndex = start;
  const match = pattern.exec(text);
  if (match === null) {
    return undefined;
  }
  // A literal, since it is filled for every line.
  const texts: ReadTexts = {
    level: match[groups.level],
    label: match[groups.label],
    message: match[groups.message],
    status: match[groups.status],
    method: match[groups.method],
    path: match[groups.path],
    client: match[groups.client],
    bytes: match[groups.bytes],
    took: match[groups.took],
    rest: match[groups.rest],
  };
  return {form, start, texts};
};

/** Returns the level that a form states, by a status or by its own words; undefined if it has none. */
export const levelOfForm = ({form, texts: {level = '', status}}: FoundForm): Level | undefined =>
  status === undefined ? (form.levels?.[level] ?? levelOfWord(level)) : levelOfStatus(Number(status));

const findAmong = (
  may: readonly Candidates[],
  text: string,
  level: Level | undefined,
  next: number,
): FoundForm | undefined => {
  // Loops by index: this runs for every line.
  for (let index = 0; index < may.length; index += 1) {
    const {hint, forms} = may[index] as Candidates;
    if (hint !== undefined && !hint(text)) {
      continue;
    }
    for (let tried = 0; tried < forms.length; tried += 1) {
      const candidate = forms[tried] as Candidate;
      const {form, isAfterHead, needsLevel} = candidate;
      const found = needsLevel && level === 'none' ? undefined : tryForm(candidate, text, isAfterHead ? next : 0);
      if (found !== undefined && (form.tellsLevel || !found.texts.level || levelOfForm(found) === level)) {
        return found;
      }
    }
  }
  return undefined;
};

/** Finds the form of a line whose level only its form tells, but for access lines: letters for levels, a status. */
export const findTellingForm = (text: string): FoundForm | undefined => findAmong(telling(text), text, undefined, 0);

/**
 * Finds the form of a line of a level. A form whose word in the place of a level does not state that level is another
 * line's. Returns undefined for a line of no known form.
 */
export const findForm = (text: string, level: Level, {before, next}: Head): FoundForm | undefined =>
  findAmong(byHead[before](text), text, level, next);

/** Finds the places of a form's parts. */
export const placeParts = ({form, start}: FoundForm, text: string): PlacedParts => {
  form.placing.lastIndex = start;
  const groups = form.placing.exec(text)?.indices?.groups ?? {};
  const places: Partial<Record<FormPart, Piece>> = {};
  for (const name in groups) {
    const range = groups[name];
    if (range !== undefined) {
      places[name as FormPart] = {start: range[0], end: range[1]};
    }
  }
  return places;
};
