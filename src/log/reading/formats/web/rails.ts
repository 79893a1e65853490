import {type Format, group, looseForm} from '../../form.ts';

/** Requests that Rails or Phoenix has completed, after whatever its logger puts before them. */
export const rails: Format = {
  hint: text => text.includes('Completed ') || text.includes('Sent ') || text.includes('Chunked '),
  forms: [
    // Completed 500 Internal Server Error in 12ms (ActiveRecord: 1.2ms)
    looseForm`(?:.{0,128}[\]:] )?(?<message>Completed ${group.status} (?:[A-Z][\w' -]{1,40} )?in (?<took>[\d.]{1,20} ?ms).*)`,
    // [info] Sent 500 in 12ms
    looseForm`(?:.{0,128}[\]:] )?(?<message>(?:Sent|Chunked) ${group.status} in ${group.took})`,
  ],
};
