import {expect, test} from 'vitest';
import {Reading} from '#log/reading/reading.ts';

test.each([
  ['java.lang.IllegalStateException: no cart', 'java.lang.IllegalStateException', 'no cart'],
  ['Exception in thread "main" java.lang.NullPointerException', 'java.lang.NullPointerException', ''],
  [
    '2026-11-21 14:02:11,031 ERROR [main] c.e.Shop: Payment failed; nested exception is com.example.PayException: 502',
    'com.example.PayException',
    '502',
  ],
  ['Unhandled exception. System.InvalidOperationException: no cart', 'System.InvalidOperationException', 'no cart'],
  ['ValueError: invalid literal for int()', 'ValueError', 'invalid literal for int()'],
  ['psycopg2.errors.UniqueViolationError: duplicate key', 'psycopg2.errors.UniqueViolationError', 'duplicate key'],
  [
    "TypeError: Cannot read properties of undefined (reading 'total')",
    'TypeError',
    "Cannot read properties of undefined (reading 'total')",
  ],
  ['Error [ERR_HTTP_HEADERS_SENT]: Cannot set headers', 'Error', 'Cannot set headers'],
  ['Uncaught Error: no cart', 'Error', 'no cart'],
  ["cart.rb:3:in 'Cart#total': divided by 0 (ZeroDivisionError)", 'ZeroDivisionError', 'divided by 0'],
  [
    "F, [2026-11-21T14:12:02.217512 #12] FATAL -- : NoMethodError (undefined method `total' for nil):",
    'NoMethodError',
    "undefined method `total' for nil",
  ],
  ["ActiveRecord::RecordNotFound (Couldn't find Cart):", 'ActiveRecord::RecordNotFound', "Couldn't find Cart"],
  ['** (Ecto.NoResultsError) expected at least one result', 'Ecto.NoResultsError', 'expected at least one result'],
  [
    'panic: runtime error: index out of range [5] with length 3',
    'panic',
    'runtime error: index out of range [5] with length 3',
  ],
  ['2026/11/21 14:12:01 http: panic serving 10.2.0.7:51234: no cart', 'panic', 'no cart'],
  ["thread 'main' panicked at 'no cart', src/main.rs:3:5", 'panicked', 'no cart'],
  ["thread 'main' panicked at src/main.rs:3:5:", 'panicked', ''],
  [
    'PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000] in /app/a.php:3',
    'PDOException',
    'SQLSTATE[HY000] in /app/a.php:3',
  ],
  [
    '[2026-11-21T14:02:11+00:00] app.CRITICAL: Uncaught PHP Exception App\\Pay\\PayException: no cart',
    'App\\Pay\\PayException',
    'no cart',
  ],
  [
    '{"level":50,"err":{"type":"TypeError","message":"no cart","stack":"TypeError: no cart\\n    at a.js:1"},"msg":"failed"}',
    'TypeError',
    'no cart',
  ],
  [
    '{"log.level":"ERROR","error.type":"java.io.IOException","error.message":"no cart","message":"failed"}',
    'java.io.IOException',
    'no cart',
  ],
  [
    '{"@l":"Error","@mt":"failed","@x":"System.IO.IOException: no cart\\r\\n   at Shop.Pay()\\n"}',
    'System.IO.IOException',
    'no cart',
  ],
  [
    '{"level":"error","event":"failed","exception":"Traceback (most recent call last):\\n  File \\"a.py\\", line 1, in pay\\nValueError: no cart"}',
    'ValueError',
    'no cart',
  ],
  ['{"level":"error","msg":"pay: TimeoutError: 5 s"}', 'TimeoutError', '5 s'],
])('%s names %s', (text, name, message) => {
  expect(new Reading(text).exception).toEqual({name, message});
});

test.each([
  '10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "GET /Error: HTTP/1.1" 200 157',
  'ERROR no cart',
  'ExceptionMapper was loaded',
  '{"level":"info","msg":"no Error here"}',
])('%s names none', text => {
  expect(new Reading(text).exception).toBeUndefined();
});

test('an exception is read within the first 1,024 code units of a message', () => {
  const line = (blanks: number): string => `ERROR ${'x'.repeat(blanks)} PayError: no cart`;
  const names = [line(1007), line(1008)].map(text => new Reading(text).exception?.name);
  expect(names).toEqual(['PayError', undefined]);
});
