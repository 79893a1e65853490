import type {Facts} from '#app/export/exporter.ts';
import {createTally, type Tally} from '#app/export/manifest.ts';
import {noPolls} from '#app/tail/polls.ts';
import type {Entry} from '#log/line/entry.ts';
import {type Instant, parseInstant} from '#log/line/instant.ts';
import type {SourcedEntry} from '#log/view/log-view.ts';

/** So many seconds after 14:00:00. */
export const at = (second: number): Instant =>
  parseInstant(new Date(Date.UTC(2026, 10, 21, 14, 0, second)).toISOString()) ?? 0n;

export const sourced = (entry: Entry, source = 0): SourcedEntry => ({source, entry});

export const line = (second: number, text: string, late = false): SourcedEntry =>
  sourced({kind: 'line', id: second, at: at(second), raw: `stamp ${text}`, textIndex: 6, late});

export const tallyOf = (...entries: readonly SourcedEntry[]): Tally => {
  const tally = createTally();
  tally.take(entries);
  return tally.result();
};

export const sampleFacts: Facts = {
  context: {name: 'production', host: 'api.example.com'},
  site: {id: 'site-1', name: 'shop'},
  branches: [
    {
      id: 'b-master',
      name: 'master',
      horizon: at(0),
      held: {since: at(5), proof: 'inferred', restsOn: 'this service does not say how it cuts its windows'},
      gapCount: 2,
      evictedLines: 3,
      tooLateLines: 0,
      polls: {...noPolls.sums, polls: 40, failed: 1},
    },
  ],
  filters: {includes: [], excludes: [], minimumLevel: 'none', contextLines: 0, isComplete: true},
  savedAtMs: Date.UTC(2026, 10, 21, 14, 12, 0),
};
