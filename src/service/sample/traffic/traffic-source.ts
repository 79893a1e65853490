import {drawEditorLine} from '../lines/editor-line.ts';
import {drawJsonLine} from '../lines/json-line.ts';
import {drawComplaint, drawCrash, drawPoolLine} from '../lines/php-lines.ts';
import {drawAccessLine} from '../lines/sample-access.ts';
import {hostnameOf} from '../plan/hostname.ts';
import type {BranchSetting} from '../plan/plans.ts';
import {hourMs} from '../seed/durations.ts';
import {momentOf, type SampleSource, type Slice} from '../seed/log-source.ts';
import type {Roster} from '../seed/roster.ts';
import {drawOffset} from './draw-offset.ts';
import {writeIncident} from './incident-events.ts';
import {incidentAt} from './incidents.ts';
import {keepTogether, type LogEvent} from './keep-together.ts';
import {writePodLines} from './pod-lines.ts';
import {spreadLines} from './spread-lines.ts';
import {troubleAt} from './trouble.ts';
import {createWaves} from './waves.ts';

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
