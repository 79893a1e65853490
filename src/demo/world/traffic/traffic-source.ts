import {
  drawComplaint,
  drawCrash,
  drawPoolLine,
  podStartLines,
  podStopLines,
  type RecordInput,
  writeRecord,
} from '../lines/php-lines.ts';
import {drawAccessLine} from '../lines/sample-access.ts';
import {type BranchSetting, hostnameOf, releaseBefore} from '../plan/plans.ts';
import {momentOf, type Roster, type SampleSource, type Slice} from '../seed/log-source.ts';
import {createRandom, hourMs, secondMs} from '../seed/random.ts';
import {drawOffset, incidentAt, keepTogether, type LogEvent, spreadLines, writeIncident} from './incident-events.ts';

export type TrafficOptions = {
  readonly setting: BranchSetting;
  readonly roster: Roster;
  /** Events a second at the peak of the waves; an event is one line, or several for a crash with its trace. */
  readonly peakPerSecond: number;
  /** The share of access lines that arrive seconds late. */
  readonly lateShare: number;
  /** How often something beside the branch fails, and requests with it, in milliseconds; 0 or absent for never. */
  readonly incidentEveryMs?: number;
};

/** A slow disk or a restarted shipper delays lines by this much. */
const lateMs = {min: 700, max: 4000};
const tieShare = 0.02;

/**
 * Creates the log of a branch on a working day: requests, complaints, the application's own lines, the editor,
 * occasionally a crash or an incident.
 */
export const createTrafficSource = (options: TrafficOptions): SampleSource => {
  const {setting, roster, peakPerSecond, lateShare, incidentEveryMs = 0} = options;
  const {site, branch} = setting;
  const hostname = hostnameOf(setting);
  const levelAt = createWaves(setting.seed, setting.branchId);

  const writeEvent = (slice: Slice, offsetNs: number, trouble: number): LogEvent => {
    const {random} = slice;
    const line = {random, atMs: momentOf(slice, offsetNs), code: site.code};
    if (random.chance(trouble * 0.2)) {
      return spreadLines(random, offsetNs, drawCrash(line));
    }
    const roll = random.fraction();
    if (roll < 0.09) {
      return [{offsetNs, text: drawJsonLine({...line, failing: random.chance(trouble)})}];
    }
    if (roll < 0.125) {
      return [{offsetNs, text: drawComplaint(line)}];
    }
    if (roll < 0.127 || (trouble > 0.1 && roll < 0.15)) {
      return [{offsetNs, text: drawPoolLine(line)}];
    }
    if (branch.editor && roll > 0.975) {
      return [{offsetNs, text: drawEditorLine(line)}];
    }
    const late = random.chance(lateShare) ? {lateMs: random.integer(lateMs.min, lateMs.max)} : {};
    return [{offsetNs, text: drawAccessLine({...line, hostname, paths: site.paths, trouble}), ...late}];
  };

  return {
    name: 'traffic',
    historyMs: 2 * hourMs,
    lateMsMax: lateShare > 0 ? lateMs.max : 0,
    writeSlice: slice => {
      const {random, demoMs} = slice;
      const written: LogEvent[] = [...writePodLines(slice, roster)];
      if (roster(demoMs).length === 0) {
        return keepTogether(written);
      }
      const incident = incidentAt(setting, incidentEveryMs, demoMs);
      if (incident) {
        written.push(...writeIncident(slice, incident, {code: site.code, paths: site.paths, hostname}));
      }
      const trouble = troubleAt(setting, demoMs);
      const events = random.count(peakPerSecond * levelAt(demoMs));
      let offsetNs = 0;
      for (let event = 0; event < events; event++) {
        offsetNs = event > 0 && random.chance(tieShare) ? offsetNs : drawOffset(random);
        written.push(writeEvent(slice, offsetNs, trouble));
      }
      return keepTogether(written);
    },
  };
};

/** Writes the messages of pods that start or stop within a slice. */
const writePodLines = (slice: Slice, roster: Roster): readonly LogEvent[] => {
  const before = new Set(roster(slice.demoMs).map(pod => pod.name));
  const after = new Set(roster(slice.demoMs + secondMs).map(pod => pod.name));
  const say = (write: (atMs: number) => readonly string[]): LogEvent => {
    const offsetNs = slice.random.integer(0, 900_000_000);
    return spreadLines(slice.random, offsetNs, write(momentOf(slice, offsetNs)));
  };
  return [
    ...[...after].filter(name => !before.has(name)).map(() => say(podStartLines)),
    ...[...before].filter(name => !after.has(name)).map(() => say(podStopLines)),
  ];
};

const calm = 0.004;
/** New pods that are not warmed up fail this share of requests, between these times after the first of them started. */
const rollout = {share: 0.6, fromMs: 2 * secondMs, untilMs: 12 * secondMs};
/** A branch whose deployment failed has recurring failures: its pod starts, and crashes again. */
const broken = {share: 0.35, everyMs: 55 * secondMs, lengthMs: 14 * secondMs, otherwise: 0.02};

/** Returns the share of requests that fail on a branch at a moment, 0 to 1. */
const troubleAt = (setting: BranchSetting, demoMs: number): number => {
  const {course} = setting.branch;
  if (course.kind === 'settled' && course.status !== 'DEPLOY_APPLICATION_SUCCESS') {
    const withinMs = ((demoMs % broken.everyMs) + broken.everyMs) % broken.everyMs;
    return withinMs >= broken.everyMs - broken.lengthMs ? broken.share : broken.otherwise;
  }
  const release = releaseBefore(setting, demoMs);
  const sinceComingMs = release ? demoMs - release.builtMs : -1;
  return sinceComingMs >= rollout.fromMs && sinceComingMs < rollout.untilMs ? rollout.share : calm;
};

// Periods that do not divide one another, so that the shape does not repeat within an hour.
const waves = [
  {periodMs: 173 * secondMs, height: 0.26},
  {periodMs: 47 * secondMs, height: 0.15},
  {periodMs: 11 * secondMs, height: 0.07},
];

const levelMin = 0.1;

/** Returns how busy a branch is at a moment, 0.1 to 1, in its own waves of minutes. */
const createWaves = (seed: number, branchId: string): ((demoMs: number) => number) => {
  const random = createRandom(seed, branchId, 'waves');
  const phased = waves.map(wave => ({...wave, phase: random.fraction() * 2 * Math.PI}));
  return demoMs => {
    const sum = phased.reduce(
      (level, {periodMs, height, phase}) => level + height * Math.sin((2 * Math.PI * demoMs) / periodMs + phase),
      0.5,
    );
    return Math.min(1, Math.max(levelMin, sum));
  };
};

type JsonInput = RecordInput & {readonly failing: boolean};

/** Writes one line of the application's own log, about a success or a failure. */
const drawJsonLine = ({failing, ...input}: JsonInput): string => {
  const {random, code} = input;
  const {message, subject} = random.pick(failing ? code.failures : code.news);
  const levelName = failing ? (random.chance(0.8) ? 'ERROR' : 'CRITICAL') : random.chance(0.9) ? 'INFO' : 'DEBUG';
  const context = {
    [subject]: random.integer(4000, 98_000),
    duration_ms: failing ? random.integer(5000, 9000) : random.integer(2, 340),
  };
  return writeRecord(input, {message, context, levelName});
};

/** Writes one line of the code editor that runs beside the application. */
const drawEditorLine = ({random, atMs, code}: RecordInput): string => {
  const clock = new Date(atMs).toISOString();
  const client = `[10.2.${random.integer(0, 3)}.1][${random.text('0123456789abcdef', 8)}]`;
  const {file} = random.pick(code.complaints);
  return random.pick([
    `[${clock.slice(11, 19)}] ${client}[ManagementConnection] New connection established.`,
    `[${clock.slice(11, 19)}] ${client}[ExtensionHostConnection] <${random.integer(200, 900)}> Launched Extension Host Process.`,
    `[${clock}] info  editor: saved ${code.appRoot}/${file}`,
    `[${clock}] info  editor: saved ${code.appRoot}/${file}`,
    `[${clock}] info  editor: 1 session, idle for ${random.integer(2, 9)} min`,
    `[${clock}] warn  editor: file watcher limit is near, 7,${random.integer(100, 999)} of 8,192 watches in use`,
  ]);
};
