import type {Entry, LineEntry} from '#log/line/entry.ts';
import type {Instant} from '#log/line/instant.ts';
import type {WindowCut} from '#log/window/window-claims.ts';
import {
  createSimulatedService,
  type Emission,
  type Look,
  type ServiceLine,
  type ServiceOptions,
} from './simulated-service.ts';
import type {Subject} from './subject.ts';

/** Late lines are at most so late. */
export const latenessNanosMax = 30_000;

export type SimulatedEvent =
  | ({readonly kind: 'emit'} & Emission)
  | {readonly kind: 'wait'; readonly nanos: number}
  | {readonly kind: 'poll'}
  /** A replica answers that stands where the service stood so many events ago. */
  | {readonly kind: 'lag'; readonly back: number}
  | {readonly kind: 'fail'}
  | {readonly kind: 'podComes'}
  | {readonly kind: 'podGoes'; readonly pod: number};

export type Scenario = {
  readonly service: ServiceOptions;
  readonly podCount: number;
  readonly events: readonly SimulatedEvent[];
  readonly bufferBytesMax: number;
  /** The service says how it cuts its windows. */
  readonly saysCut: boolean;
  /** Ask in time, so that each window overlaps the one before. */
  readonly keepsOverlap: boolean;
};

/** A marker's range; lines in it may be missing. */
export type Mark = {readonly kind: 'gap' | 'quiet' | 'gone'; readonly from: Instant; to: Instant};

/** One answered poll. */
export type AnsweredLook = Look & {
  readonly marks: readonly Mark[];
  readonly isLagging: boolean;
  readonly added: readonly Entry[];
};

export type Trace = {
  readonly scenario: Scenario;
  readonly arrived: readonly ServiceLine[];
  readonly looks: readonly AnsweredLook[];
  readonly held: readonly LineEntry[];
};

/** Drives a subject through a scenario. `watch` is called after every answered poll. */
export const simulate = (
  scenario: Scenario,
  subject: Subject,
  watch: (look: AnsweredLook) => void = () => {},
): Trace => {
  const service = createSimulatedService(scenario.service);
  const history: Look[] = [];
  const looks: AnsweredLook[] = [];
  let sinceTrueLook = {lines: 0, nanos: 0};
  // A line without a timestamp proves nothing, so that one with one must stay, ahead of those after it.
  const sparedLines = scenario.events.some(event => event.kind === 'emit' && event.unreadableCount > 0) ? 3 : 0;

  const take = (look: Look, isLagging: boolean): void => {
    const added = subject.take({
      lines: look.shown.map(({raw}) => raw),
      pods: look.pods,
      cut: saidCut(scenario.service, scenario.saysCut),
    });
    // The lines of a pod that goes may leave with the answer after the one that no longer lists it.
    for (const mark of looks.at(-1)?.marks ?? []) {
      mark.to = mark.kind === 'gone' ? service.newestAt() : mark.to;
    }
    const answered = {...look, marks: marksOf(added, service.newestAt()), isLagging, added};
    looks.push(answered);
    watch(answered);
  };
  const poll = (): void => {
    take(service.look(), false);
    sinceTrueLook = {lines: 0, nanos: 0};
  };
  const emit = (wanted: Emission): void => {
    const emission = scenario.keepsOverlap ? withinWindow(wanted, scenario.service, sparedLines) : wanted;
    const lines = sinceTrueLook.lines + emission.count * (1 + emission.unreadableCount);
    const nanos = sinceTrueLook.nanos + emission.count * emission.stepNanos;
    if (scenario.keepsOverlap && passesWindow(scenario.service, lines + sparedLines, nanos)) {
      poll();
      emit(emission);
      return;
    }
    sinceTrueLook = {lines, nanos};
    service.emit(emission);
  };

  for (let pod = 0; pod < scenario.podCount; pod++) {
    service.podComes();
    emit({...oneLine, pod});
    // The quiet pod's line is older than all that come, late ones too: only what left after a line that stayed shows a hole.
    service.wait(scenario.service.cut.kind === 'pod' ? Number(scenario.service.tickNanos) + latenessNanosMax : 0);
  }
  poll();
  for (const event of [...scenario.events, ...ending]) {
    switch (event.kind) {
      case 'emit':
        emit(event);
        break;
      case 'wait':
        service.wait(event.nanos);
        break;
      case 'poll':
        poll();
        break;
      case 'lag':
        take(history.at(-event.back) ?? service.look(), true);
        break;
      case 'fail':
        break;
      case 'podComes':
        service.podComes();
        break;
      case 'podGoes':
        service.podGoes(event.pod);
        break;
      default:
        event satisfies never;
    }
    history.push(service.look());
  }
  return {scenario, arrived: service.arrived, looks, held: subject.lines()};
};

/** What the service says of its windows. */
export const saidCut = ({cut}: ServiceOptions, saysCut: boolean): WindowCut | undefined =>
  saysCut ? (cut.kind === 'pod' ? 'pod' : 'branch') : undefined;

const oneLine: Emission = {pod: 0, count: 1, stepNanos: 1001, texts: 'unique', lateNanos: 0, unreadableCount: 0};
const ending: readonly SimulatedEvent[] = [{kind: 'poll'}, {kind: 'emit', ...oneLine, pod: 1}, {kind: 'poll'}];

const passesWindow = ({cut}: ServiceOptions, lines: number, nanos: number): boolean =>
  cut.kind === 'time' ? BigInt(nanos) >= cut.spanNanos : lines >= cut.lines;

/** The same, with fewer lines: so few that by themselves they leave one of the lines before in the window. */
const withinWindow = (emission: Emission, {cut}: ServiceOptions, sparedLines: number): Emission => {
  const max =
    cut.kind === 'time'
      ? Number((cut.spanNanos - 1n) / BigInt(emission.stepNanos))
      : Math.max(1, Math.floor((cut.lines - 1 - sparedLines) / (1 + emission.unreadableCount)));
  return {...emission, count: Math.min(emission.count, max)};
};

const marksOf = (added: readonly Entry[], newestAt: Instant): readonly Mark[] =>
  added.flatMap((entry): readonly Mark[] => {
    switch (entry.kind) {
      case 'gap':
        return [{kind: 'gap', from: entry.after, to: entry.before}];
      case 'quiet':
        return [{kind: 'quiet', from: entry.since, to: newestAt}];
      case 'pod':
        return entry.change === 'gone' && entry.since !== undefined
          ? [{kind: 'gone', from: entry.since, to: newestAt}]
          : [];
      default:
        return [];
    }
  });
