import {formatAccessTime} from '../../lines/clock-text.ts';
import type {SampleText} from '../../sources/cycling-source.ts';

const esc = '\u001B';
const bell = '\u0007';
const end = `${esc}\\`;

/** Anyone who sends a request writes to the log: the payload is a browser's name in an access line. */
const asAgent =
  (payload: string): SampleText =>
  (random, atMs) =>
    `203.0.113.${random.integer(1, 254)} - - [${formatAccessTime(atMs)}] "GET / HTTP/1.1" 200 ${random.integer(900, 9000)} "-" "Mozilla/5.0 ${payload} (visible end)"`;

const asText =
  (payload: string): SampleText =>
  () =>
    `NOTICE: PHP message: ${payload} (visible end)`;

/**
 * One payload of every class that can control a terminal or deceive its reader. The keys name the classes; tests and
 * the cases in the documents refer to them.
 */
export const hostilePayloads = {
  sgr: `${esc}[31;1mred${esc}[0m ${esc}[8mhidden${esc}[28m ${esc}[38;2;1;2;3mrgb`,
  cursor: `${esc}[10A${esc}[999D${esc}[1;1Hover the header`,
  clear: `${esc}[2J${esc}[3J${esc}[Kgone`,
  scrollRegion: `${esc}[5;6r${esc}[10S${esc}[20L`,
  alternateScreen: `${esc}[?1049l${esc}[?1049h${esc}[?25l`,
  mouseAndPaste: `${esc}[?1000h${esc}[?1003h${esc}[?2004h`,
  deviceReport: `${esc}[6n${esc}[c${esc}[>c${esc}[5n`,
  windowReport: `${esc}[21t${esc}[8;1;1t${esc}[2t`,
  reset: `${esc}c${esc}[!p${esc}#8`,
  charset: `${esc}(0lqqqk${esc}(B`,
  savedCursor: `${esc}7${esc}8${esc}[s${esc}[u`,
  oscTitle: `${esc}]0;owned${bell}${esc}]2;owned${end}`,
  oscLink: `${esc}]8;;https://evil.example/${end}docs.example.com${esc}]8;;${end}`,
  oscClipboard: `${esc}]52;c;cm0gLXJmIH4K${bell}`,
  oscClipboardQuery: `${esc}]52;c;?${bell}`,
  oscWorkingFolder: `${esc}]9;7;cmd${bell}${esc}]7;file://evil/${end}`,
  oscColour: `${esc}]4;1;?${bell}${esc}]10;?${bell}${esc}]11;#000000${bell}`,
  oscNotify: `${esc}]777;notify;bank;call me${bell}${esc}]9;done${bell}`,
  dcs: `${esc}Pq#0;2;0;0;0~~@@${end}`,
  dcsRequest: `${esc}P$qm${end}${esc}P+q544e${end}`,
  apc: `${esc}_Gf=100;AAAA${end}`,
  pm: `${esc}^private message${end}`,
  sos: `${esc}Xstart of string${end}`,
  c1Csi: '\u009B31mred\u009B2J',
  c1Osc: '\u009D0;owned\u009C',
  c1Dcs: '\u0090$qm\u009C',
  c1Apc: '\u009Fpayload\u009C',
  c1Pm: '\u009Epayload\u009C',
  c1Sos: '\u0098payload\u009C',
  c1Single: '\u0084\u0085\u008D\u008E\u008F',
  unterminatedCsi: `${esc}[31`,
  unterminatedOsc: `${esc}]0;never ends`,
  unterminatedDcs: `${esc}Pq never ends`,
  nested: `${esc}]0;${esc}[2J${esc}]0;inner${bell}outer${bell}`,
  loneEscape: `${esc}${esc}${esc}`,
  bell: `${bell}${bell}${bell}`,
  backspace: 'status=failed\b\b\b\b\b\bpassed',
  carriageReturn: 'ERROR the database is gone\r200 OK all is well         ',
  verticalMoves: 'a\u000Bb\u000Cc',
  shifts: '\u000E\u000Flqqk',
  nextLine: 'above\u0085below',
  lineSeparator: 'above\u2028below',
  paragraphSeparator: 'above\u2029below',
  bidiOverride: 'user \u202Enimda\u202C signed in',
  bidiIsolate: 'amount \u20661000\u2069 \u2067paid\u2069\u200F\u200E',
  zeroWidth: 'pass\u200Bword\u200C\u200D\u2060\uFEFFin',
  fillers: 'a\u3164b\u115Fc\u1160d\uFFA0e',
  tags: 'ok\u{E0001}\u{E0068}\u{E0069}\u{E0064}\u{E007F}',
  privateUse: 'icon \uE0B0 \u{F0001} \u{10FFFD}',
  unassigned: 'none \u0378 \uFFFE \uFFFF',
  highSurrogate: 'half \uD83D end',
  lowSurrogate: 'half \uDE00 end',
  nul: 'be\u0000tween',
  delete: 'de\u007Flete',
  combining: `Z${'\u0301\u0316'.repeat(100)}`,
  variationSelectors: `v${'\uFE0F'.repeat(40)}`,
  lookAlike: 'p\u0430yp\u0430l.example',
  longParameters: `${esc}[${'9;'.repeat(2000)}m`,
} as const;

/** Each payload as an access line's browser, and as the application's own text. */
export const hostileSamples: readonly SampleText[] = Object.values(hostilePayloads).flatMap(payload => [
  asAgent(payload),
  asText(payload),
]);
