import {anyForm, type Format, formOf, group} from '../../form.ts';

const head = String.raw`\[(?<time>\d\d\.\d\d \d\d:\d\d:\d\d)\] (?<logger>[\w. *()-]{1,64}?(?: \*64)?) - `;

/** Proxifier, which says of a program what became of its connection. */
export const proxifier: Format = {
  starts: /\[/,
  hint: text => text[3] === '.',
  forms: [
    // [10.30 16:49:06] chrome.exe - proxy.example.com:5070 error : Could not connect through proxy … - Reading
    formOf('any', {levels: {'error :': 'error'}})`${head}(?<message>\S{1,253} (?<level>error :) \S.*)`,
    anyForm`${head}${group.message}`,
  ],
};
