import {anyForm, type Format, group} from '../../form.ts';

/** Elasticsearch and OpenSearch. */
export const elasticsearch: Format = {
  starts: /\[/,
  hint: text => text.includes(']['),
  forms: [
    // [2026-11-21T14:02:11,031][WARN ][o.e.c.r.a.DiskThresholdMonitor] [node-1] …
    anyForm`\[(?<time>\d{4}-\d\d-[\dT:,.Z+ -]{10,30})\]\[${group.upperLevel} *\]\[(?<logger>[\w.$]{1,128}) *\] ?(?:\[(?<b1>[\w.-]{1,128})\] )?${group.message}`,
  ],
};
