import {formatAccessTime} from '../lines/clock-text.ts';
import type {SampleText} from './cycling-source.ts';

/** Common container runtimes keep lines up to 16 KB in one piece; this one is of that order. */
const longLineChars = 10_000;

const json =
  (message: string): SampleText =>
  (random, atMs) =>
    JSON.stringify({level: 'info', time: new Date(atMs).toISOString(), msg: message, id: random.integer(1000, 9999)});

const searched =
  (words: string): SampleText =>
  (random, atMs) =>
    `198.51.100.${random.integer(1, 254)} - - [${formatAccessTime(atMs)}] "GET /search?q=${words} HTTP/1.1" 200 ${random.integer(4000, 9000)} "-" "Mozilla/5.0"`;

const repeatTo = (text: string, length: number): string =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

/**
 * Text that is hard to measure and to cut, none of it hostile. Non-ASCII text that looks like something else is
 * escaped.
 */
export const unicodeSamples: readonly SampleText[] = [
  json('注文を受け付けました。お支払いはカードです'),
  searched('비행기표+서울'),
  json('订单已付款,等待发货'),
  json('wide at the edge: 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字'),
  json('full-width ＡＢＣ １２３ and half-width ｶﾀｶﾅ'),
  json('family \u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}, engineer \u{1F469}\u{1F3FD}\u200D\u{1F4BB}'),
  json(
    'flags \u{1F1E9}\u{1F1EA}\u{1F1EF}\u{1F1F5}\u{1F1E7}\u{1F1F7} and Scotland \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
  ),
  json('skin tones \u{1F44D}\u{1F44D}\u{1F3FB}\u{1F44D}\u{1F3FE}\u{1F44D}\u{1F3FF}'),
  json('heart as text \u2764\uFE0E and as emoji \u2764\uFE0F, key cap 1\uFE0F\u20E3'),
  json('combining: cafe\u0301, A\u030A, o\u0302\u0323, beside composed caf\u00E9'),
  json('Vi\u1EC7t Nam: \u0110\u01A1n h\u00E0ng \u0111\u00E3 \u0111\u01B0\u1EE3c giao'),
  json('تم استلام الطلب رقم 4127 بنجاح'),
  searched('שלום+עולם'),
  json('mixed: order שלום 4127 of عميل is paid'),
  json('हिन्दी: आपका ऑर्डर भेज दिया गया है'),
  json('தமிழ்: உங்கள் ஆர்டர் அனுப்பப்பட்டது'),
  json('ไทย: คำสั่งซื้อของคุณถูกจัดส่งแล้ว'),
  json('Ελληνικά, кириллица, ქართული, հայերեն, ⠃⠗⠁⠊⠇⠇⠑'),
  json('box ┌─┬─┐ blocks ▁▂▃▄▅▆▇█ arrows ←↑→↓ maths ∑∫√ ambiguous ①②③ §¶°'),
  () => '\tindented by a tab\tand\tcolumns\tof\ttabs',
  () => 'name\tquantity\tprice\t',
  () => '',
  () => '   ',
  () => 'x',
  () => repeatTo('one very long line without a break that ends only after ten thousand characters; ', longLineChars),
  () => repeatTo('0123456789abcdef', longLineChars),
  () => repeatTo('長い一行のログ、', longLineChars),
  () => repeatTo('\u{1F469}\u{1F3FD}\u200D\u{1F4BB} ', longLineChars),
  json('a word of 100 letters: '.concat('w'.repeat(100))),
  json('soft\u00ADhyphen, no-break\u00A0space, thin\u2009space'),
];
