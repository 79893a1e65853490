import {expect, onTestFinished, test} from 'vitest';
import {startEngineDouble} from '../support/docker/start-engine-double.ts';
import {startPtyProgram} from '../support/pty-program.ts';

const labelsOf = (project: string, service: string) => ({
  labels: {'com.docker.compose.project': project, 'com.docker.compose.service': service},
});

test('projects come and go while the only one is open, whose log stays', async () => {
  const engine = await startEngineDouble();
  const web = engine.create('shop-web-1', labelsOf('shop', 'web'));
  web.write('first of web');
  const screen = startPtyProgram({args: ['open', '--docker'], env: {DOCKER_HOST: engine.host}});
  onTestFinished(() => screen.close());
  await screen.waitFor(/▸ ● web/);
  screen.press('Enter');
  await screen.waitFor('first of web');

  const api = engine.create('blog-api-1', labelsOf('blog', 'api'));
  api.write('first of api');
  screen.press('Esc');
  await screen.waitFor(/▸ ● web/);
  screen.press('Esc');
  await screen.waitFor(rows => rows[2]?.trim() === 'blog' && rows[3]?.trim() === '▸ shop');

  screen.press('Up', 'Enter');
  await screen.waitFor(/▸ ● api/);
  screen.press('Enter');
  await screen.waitFor('first of api');
  screen.press('Esc');
  await screen.waitFor(/▸ ● api/);
  screen.press('Esc');
  await screen.waitFor(rows => rows[2]?.trim() === '▸ blog' && rows[3]?.trim() === 'shop');

  api.remove();
  const rows = await screen.waitFor(shown => shown[2]?.trim() === '▸ shop');
  expect(rows[3]?.trim()).toBe('');
});
