import {z} from 'zod';
import {isSecretValue, secretMask} from '#base/secret.ts';
import {formatInstant, parseInstant} from '#log/line/instant.ts';
import {windowCuts} from '#log/window/window-claims.ts';

/** What the sections of a hand-over hold, as JSON. Whatever else a field holds is refused. */

const count = z.int().min(0);

const proof = z.enum(['counted', 'said', 'inferred']);

const instant = z.string().transform((text, context) => {
  const at = parseInstant(text);
  if (at === undefined) {
    context.addIssue('no time');
    return z.NEVER;
  }
  return at;
});

/** Returns values as JSON: times as text, and masked what is a secret, whatever field it is in. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'bigint'
      ? formatInstant(field)
      : typeof field === 'string' && isSecretValue(field)
        ? secretMask
        : field,
  );

const sourceName = z.strictObject({
  pod: z.string().optional(),
  container: z.string().optional(),
  stream: z.string().optional(),
});

const place = z.strictObject({id: count, at: instant});

export const headSchema = z.strictObject({
  savedAt: instant,
  by: z.string(),
  branchlog: z.string(),
  context: z.string(),
  host: z.string(),
  site: z.strictObject({id: z.string(), name: z.string().optional()}),
  branch: z.strictObject({id: z.string(), name: z.string()}),
  lines: count,
  maskedLines: count,
});

export type HandOverHead = z.infer<typeof headSchema>;

export const viewSchema = z.strictObject({
  state: z.record(z.string(), z.unknown()),
  cursor: place.optional(),
  top: z.strictObject({...place.shape, rowsAbove: count}).optional(),
  /** How many entries are above the screen; all that there are, if it follows. */
  index: count,
});

export const logSchema = z.strictObject({
  horizon: instant.optional(),
  heldFrom: z
    .strictObject({
      at: instant,
      why: z.enum(['asked', 'unread', 'file', 'memory', 'start']),
      arrivalsFrom: instant.optional(),
    })
    .optional(),
  heldTo: z.strictObject({at: instant, why: z.enum(['unread', 'newest'])}).optional(),
  wholeSince: instant.optional(),
  proof,
  gapCount: count,
  pods: z.array(z.strictObject({name: z.string(), createdAt: z.string().optional()})),
  cut: z.enum(windowCuts).optional(),
  sources: count.optional(),
  arrivals: z.strictObject({series: z.string(), last: count, dropped: count, unread: count.optional()}).optional(),
  buffer: z.strictObject({
    nextId: count,
    newest: place.optional(),
    evictedLines: count,
    evictedThrough: instant.optional(),
    tooLateLines: count,
  }),
  names: z.array(sourceName),
  shapes: z.strictObject({
    learnedUntil: instant.optional(),
    newIds: z.array(count),
    shapes: z.array(z.strictObject({shape: z.string(), count, firstAt: instant, lastAt: instant, firstId: count})),
  }),
});

const change = z.discriminatedUnion('kind', [
  z.strictObject({kind: z.literal('status'), before: z.string().nullable(), now: z.string().nullable()}),
  z.strictObject({
    kind: z.literal('activity'),
    action: z
      .string()
      .optional()
      .transform(word => word),
    status: z
      .string()
      .optional()
      .transform(word => word),
    createdBy: z
      .string()
      .optional()
      .transform(word => word),
  }),
  z.strictObject({kind: z.literal('trouble'), who: z.string(), reason: z.string()}),
]);

const at = {id: count, at: instant};

const gapReasons = [
  ...(['moved-on', 'unproven', 'share', 'clock-back', 'empty', 'short-window', 'source-gone', 'renumbered'] as const),
  ...(['not-lines', 'told', 'left-out', 'contradicted'] as const),
];

const markerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('gap'),
    ...at,
    after: instant,
    before: instant,
    reason: z.enum(gapReasons).optional(),
    proof: proof.optional(),
    source: sourceName.optional(),
    missingLines: count.optional(),
    why: z.string().optional(),
    newLines: count.optional(),
    grows: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('pod'),
    ...at,
    change: z.enum(['appeared', 'gone']),
    name: z.string(),
    since: instant.optional(),
    isWhole: z.boolean().optional(),
    ending: z.string().optional(),
  }),
  z.strictObject({kind: z.literal('quiet'), ...at, since: instant}),
  z.strictObject({kind: z.literal('change'), ...at, happenedAt: instant.optional(), change}),
  z.strictObject({
    kind: z.literal('horizon'),
    ...at,
    why: z.enum(['asked', 'unread', 'file', 'memory', 'start', 'newest']).optional(),
    isEnd: z.literal(true).optional(),
  }),
]);

/**
 * Entries in order. `rows`: a line as received, or a marker. `ids`: that of the first, if they count up from it.
 * `odd`: the lines, by their place, whose time is not the one that they begin with, and where their text begins.
 * `writers`: runs of lines of one source, an index into the names of the log, or -1.
 */
export const linesSchema = z.strictObject({
  ids: z.union([count, z.array(count)]),
  rows: z.array(z.union([z.string(), markerSchema])),
  odd: z.array(z.tuple([count, instant, count])),
  late: z.array(count),
  writers: z.array(z.tuple([z.int().min(-1), z.int().min(1)])),
});

export type StoredLines = z.infer<typeof linesSchema>;
