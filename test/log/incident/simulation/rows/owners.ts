import type {IncidentReport} from '#log/incident/find-incident.ts';
import {isTrouble} from '#log/incident/incident-finding.ts';
import {type DrawnCase, foundWords, type Row, spanWords, toldOf, verdictWords} from '../drawn-case.ts';
import {type Fields, formats} from '../formats.ts';
import type {Random} from '../random.ts';
import {byTime, clockOf, type DrawnLine, instantOf, podOf, takeAnswers} from '../take-lines.ts';
import {
  clientOf,
  drawRequest,
  drawTraffic,
  faults,
  lineAt,
  newFaults,
  requestAt,
  sayAt,
  secondsOf,
  type Traffic,
  type Writer,
} from '../traffic.ts';

/** The values of something that lines have, and how a log calls it. */
type Property = {
  readonly kind: string;
  readonly names: readonly string[];
  readonly values: readonly string[];
};

const properties: readonly Property[] = [
  {kind: 'pod', names: ['pod', 'pod_name'], values: ['web-0', 'web-1', 'web-2', 'web-3']},
  {
    kind: 'host',
    names: ['hostname', 'host'],
    values: ['api-7d9f8b6c5d-aaaaa', 'api-7d9f8b6c5d-bbbbb', 'api-7d9f8b6c5d-ccccc', 'node-17.eu'],
  },
  {kind: 'version', names: ['version', 'app_version'], values: ['2.3.1', '2.3.2', '2.4.0', '1.9.7']},
  {kind: 'path', names: ['path'], values: ['/cart', '/checkout', '/login', '/search', '/voucher']},
  {kind: 'country', names: ['country', 'geo_country'], values: ['DE', 'FR', 'PL', 'BR', 'US', 'JP']},
  {
    kind: 'upstream',
    names: ['upstream', 'upstream_addr'],
    values: ['10.0.3.7:8080', '10.0.3.8:8080', '10.0.4.2:8080', '10.0.4.9:8080'],
  },
];

/** What lines of a log have: of each property a value, by chance and independent of the others. */
type Owning = {readonly property: Property; readonly name: string; readonly values: readonly string[]};

const drawOwnings = (random: Random, owner?: Property): readonly Owning[] =>
  properties
    .filter(property => property === owner || random.chance(0.6))
    .map(property => ({property, name: random.pick(property.names), values: property.values}));

/** The pod is who writes the line, or a field of it, as the others are. */
const writerOf = (ownings: readonly Owning[], isPodSaid: boolean, pickOf: (owning: Owning) => string): Writer => {
  const said = isPodSaid ? ownings.find(({property}) => property.kind === 'pod') : undefined;
  const fields: Fields = Object.fromEntries(
    ownings.filter(each => each !== said && each.property.kind !== 'path').map(each => [each.name, pickOf(each)]),
  );
  return {fields, ...(said && {source: {pod: pickOf(said)}})};
};

const withFields = formats.filter(({hasFields, takes}) => hasFields && takes !== undefined);
const hour = 3600;

const take = (lines: readonly DrawnLine[], isPodSaid: boolean) =>
  takeAnswers({
    answers: [
      {
        lines: byTime(lines),
        second: hour,
        pods: isPodSaid ? (properties[0]?.values ?? []).map(name => podOf(name)) : [],
      },
    ],
    isNumbered: isPodSaid,
  });

const drawOwner = (random: Random, index: number, linesMax: number): DrawnCase => {
  const owner = properties[index % properties.length];
  if (owner === undefined) {
    throw new Error('no property');
  }
  const ownings = drawOwnings(random, owner);
  const isPodSaid = random.chance(0.5) && ownings.some(({property}) => property.kind === 'pod');
  const value = random.pick(owner.values);
  const purity = random.between(0.75, 1);
  const onset = hour - 60 * random.scaled(4, 30);
  const format = random.pick(withFields);
  const anyWriter = () => writerOf(ownings, isPodSaid, ({values}) => random.pick(values));
  const traffic = drawTraffic(random, {
    ...{seconds: hour, linesMax, format, writer: anyWriter, rate: random.scaled(1.5, 20)},
    errorShare: random.scaled(0.0005, 0.005),
  });
  const lineCount = traffic.rate * (hour - onset);
  // Enough to tell whose they are: twenty at least, and some more, since some are of others.
  const share = Math.max(random.scaled(0.04, 0.4), 40 / lineCount);
  const fault = random.pick(newFaults);
  const isRequest = owner.kind === 'path' || random.chance(0.3);
  const ownLine = (second: number): DrawnLine => {
    const isOwn = random.chance(purity);
    const writer = () =>
      writerOf(ownings, isPodSaid, ({property, values}) => (property === owner && isOwn ? value : random.pick(values)));
    const own: Traffic = {...traffic, writer};
    const path = owner.kind === 'path' && isOwn ? value : random.pick(properties[3]?.values ?? []);
    return isRequest
      ? requestAt(own, second, {...drawRequest(random, traffic), path, status: 502, client: clientOf(random)})
      : sayAt(own, second, 'ERROR', fault, {request_id: `r${random.whole(1e6, 9e6)}x`});
  };
  const lines = secondsOf(random, traffic).map(second =>
    second >= onset && random.chance(share) ? ownLine(second) : lineAt(random, traffic, second),
  );
  const name = ownings.find(({property}) => property === owner)?.name ?? owner.kind;
  return {
    kind: `${owner.kind}, ${isRequest ? 'failed requests' : 'errors'}`,
    words: [
      `${name}=${value} has ${(100 * purity).toFixed(0)} % of ${(100 * share).toFixed(0)} % of the lines from ${clockOf(onset)}`,
      `${(60 * traffic.rate).toFixed(0)} lines/min`,
      isPodSaid ? 'pods said' : 'no pods said',
      format.name,
    ].join('; '),
    sources: [take(lines, isPodSaid)],
    asked: {now: instantOf(hour + 1)},
    judge: report => judgeOwner(report, [owner.kind, ...owner.names], value),
  };
};

/** The first finding that names anybody, of the first ones, names the right one first. */
const judgeOwner = (report: IncidentReport, names: readonly string[], value: string) => {
  const first = report.findings
    .filter(isTrouble)
    .slice(0, 3)
    .find(({who}) => who.length > 0);
  const named = first?.who[0];
  return named !== undefined && names.includes(named.field) && named.value === value
    ? []
    : [
        {
          measure: 'missed',
          why:
            first === undefined
              ? `nobody named; ${verdictWords(report)}; ${foundWords(report)}`
              : `${toldOf(first)}: ${first.who.map(({field, value, share, others}) => `${field}=${value} ${share.toFixed(2)}, else ${others.toFixed(2)}`).join('; ')}`,
        },
      ];
};

/** Whose lines a finding's are, is named, and first. */
export const ownerRow: Row = {
  name: 'owners',
  count: 60,
  kindCount: properties.length,
  allowed: {missed: 5},
  draw: drawOwner,
};

const drawOwned = (random: Random, _index: number, linesMax: number): DrawnCase => {
  const ownings = drawOwnings(random);
  const isPodSaid = random.chance(0.5) && ownings.some(({property}) => property.kind === 'pod');
  const writer = () => writerOf(ownings, isPodSaid, ({values}) => random.pick(values));
  const format = random.pick(withFields);
  const traffic = drawTraffic(random, {
    seconds: hour,
    linesMax,
    format,
    writer,
    errorShare: random.scaled(0.001, 0.03),
  });
  // Errors and warnings come in knots, so that there is something that could be told of somebody.
  const knots = Array.from({length: random.whole(2, 8)}, () => random.between(0, hour - 10)).flatMap(at => {
    const level = random.chance(0.5) ? 'ERROR' : 'WARN';
    const fault = random.pick(faults);
    return Array.from({length: random.whole(5, 40)}, () =>
      sayAt(traffic, at + random.between(0, 10), level, fault, {request_id: `r${random.whole(1e6, 9e6)}x`}),
    );
  });
  const lines = secondsOf(random, traffic).map(second => lineAt(random, traffic, second));
  return {
    kind: 'calm',
    words: `an hour of ${(60 * traffic.rate).toFixed(0)} lines/min with ${ownings.map(({name}) => name).join(', ')}; ${spanWords(hour)}; ${format.name}`,
    sources: [take([...lines, ...knots], isPodSaid)],
    asked: {now: instantOf(hour + 1)},
    judge: ({findings}) => {
      const named = findings.filter(({who}) => who.length > 0);
      return named.length === 0
        ? []
        : [
            {
              measure: 'named',
              why: named
                .map(
                  finding =>
                    `${toldOf(finding)}: ${finding.who.map(({field, value}) => `${field}=${value}`).join(', ')}`,
                )
                .join('; '),
            },
          ];
    },
  };
};

/** Where everybody writes alike, nobody is named. */
export const ownedRow: Row = {name: 'nobody', count: 100, kindCount: 1, allowed: {named: 2}, draw: drawOwned};
