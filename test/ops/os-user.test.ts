import { userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { osUser } from '../../ops/os-user.ts';

it('is the name of who runs the process', () => {
  expect(osUser()).toBe(userInfo().username);
});

it('is a number where the machine has no name for it', () => {
  const nameless = () => {
    throw Object.assign(new Error('uv_os_get_passwd returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
  };
  expect(osUser(nameless)).toBe(`uid ${process.getuid?.()}`);
});
