import {type Format, formOf, group} from '../../form.ts';

const kinds =
  'Fatal error|Recoverable fatal error|Catchable fatal error|Parse error|(?:Core|Compile|User) (?:error|warning|notice)|(?:Core |Compile |User )?(?:Warning|Notice|Deprecated|Error)|Strict Standards';

/** PHP's errors, by themselves or passed on by PHP-FPM. */
export const php: Format = {
  hint: text => text.includes('PHP '),
  forms: [
    // NOTICE: PHP message: PHP Fatal error:  Uncaught Error: …
    formOf(['bracketed', 'any'])`(?:NOTICE: PHP message: )?(?<label>PHP (?:${kinds})): {1,4}${group.message}`,
    formOf(['bracketed', 'any'])`NOTICE: PHP message: ${group.message}`,
  ],
};
