import {isChange} from '#log/incident/incident-finding.ts';
import {instantToMs} from '#log/line/instant.ts';
import {type DrawnCase, foundWords, type Row, spanWords, verdictWords} from '../drawn-case.ts';
import {plants} from '../planted-incident.ts';
import type {Random} from '../random.ts';
import {byTime, clockOf, instantOf, takeAnswers} from '../take-lines.ts';
import {drawTraffic} from '../traffic.ts';

const kinds = Object.keys(plants);
const secondsMax = 3600;
/** A log is rather shorter than so quiet that nothing could be told from chance. */
const rateMin = 2;
const secondsOff = 5;

const drawPlanted = (random: Random, index: number, linesMax: number): DrawnCase => {
  const kind = kinds[index % kinds.length] ?? '';
  const plant = plants[kind];
  if (plant === undefined) {
    throw new Error(`no kind ${kind}`);
  }
  const seconds = Math.min(secondsMax, linesMax / rateMin);
  const ago = Math.max(60, seconds * (1 / 60 + (39 / 60) * random.next() ** 1.5));
  const onset = seconds - ago;
  // What is over was there for long enough to be seen; what stopped, and a field, stay so.
  const isOver = random.chance(0.2) && ago > 360 && !/no more|field|once/.test(kind);
  const wrong = {
    onset,
    end: isOver ? onset + ago * random.between(0.4, 0.8) : seconds,
    share: random.scaled(0.04, 0.6),
  };
  const format = random.pick(plant.formats);
  const traffic = drawTraffic(random, {seconds, linesMax, format, rate: random.scaled(rateMin, 30)});
  const {lines, at, isIt} = plant.draw(random, traffic, wrong);
  // What goes on counts, whenever it began; what was once, only within the time asked.
  const isOnce = kind.endsWith('once');
  const within = random.chance(0.5) || isOnce ? onset - 120 : (onset + wrong.end) / 2;
  const from = random.chance(0.25) ? within : undefined;
  return {
    kind,
    words: [
      `${spanWords(seconds)} of ${(60 * traffic.rate).toFixed(0)} lines/min; from ${clockOf(at)}, ${spanWords(seconds - at)} ago`,
      ...(isOver ? [`to ${clockOf(wrong.end)}`] : []),
      `${(100 * wrong.share).toFixed(0)} % of the lines`,
      from === undefined ? 'all asked' : `asked from ${clockOf(from)}`,
      format.name,
    ].join('; '),
    sources: [takeAnswers({answers: [{lines: byTime(lines)}]})],
    asked: {now: instantOf(seconds + 1), from: from === undefined ? undefined : instantOf(from)},
    judge: report => {
      const {findings, verdict} = report;
      // Weak ones are folded into one row.
      const shown = findings.filter(finding => finding.confidence !== 'weak' || isChange(finding));
      const place = shown.findIndex(isIt);
      const found = shown[place];
      const why = `place ${place}; ${verdictWords(report)}; ${foundWords(report)}`;
      // A change alone is no trouble.
      if (found === undefined || place > 1 || (verdict.kind !== 'found' && !isChange(found))) {
        return ['missed', 'onset'].map(measure => ({measure, why}));
      }
      const off = instantToMs(found.since - instantOf(at)) / 1000;
      return Math.abs(off) > secondsOff ? [{measure: 'onset', why: `${off.toFixed(1)} s off; ${why}`}] : [];
    },
  };
};

/** Planted incidents of an seconds, found first or second, and since when they are. */
export const plantedRow: Row = {
  name: 'planted',
  count: 60,
  kindCount: kinds.length,
  allowed: {missed: 1, onset: 5},
  draw: drawPlanted,
};
