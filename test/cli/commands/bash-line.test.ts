import {expect, test} from 'vitest';
import {answerBash, splitBashLine} from '#cli/commands/complete.ts';

test.each<readonly [string, readonly string[], string]>([
  ['branchlog', [], ''],
  ['branchlog ', [], ''],
  ['branchlog lo', [], 'lo'],
  ['branchlog logs shop ', ['logs', 'shop'], ''],
  ['branchlog logs my\\ sh', ['logs'], 'my sh'],
  ['branchlog logs my\\ ', ['logs'], 'my '],
  ['branchlog logs \'a "b\' "c \'d\\" $e" f', ['logs', 'a "b', 'c \'d" $e'], 'f'],
  ['branchlog logs "my sh', ['logs'], 'my sh'],
  ['branchlog logs pre"fix mid"dle', ['logs'], 'prefix middle'],
])('%s', (line, before, typed) => {
  expect(splitBashLine(line)).toMatchObject({before, typed});
});

test.each<readonly [string, string, string, string]>([
  ['', '', 'für später', 'für\\ später'],
  ['--format=te', 'te', '--format=text', 'text'],
  ['a:', '', 'a:b c', 'b\\ c'],
  ['"my sh', 'my sh', 'my "$shop"', 'my \\"\\$shop\\"'],
  ["'my sh", 'my sh', 'my $shop', 'my $shop'],
  ['my\\ sh', 'my\\ sh', "my shop's", "my\\ shop\\'s"],
])('where %s is typed and bash replaces "%s", %s is answered as %s', (raw, current, word, answer) => {
  expect(answerBash(raw, current)(word)).toBe(answer);
});
