import { userInfo } from 'node:os';

/** User name, or its number if it has none, as in a container. */
export function osUser(lookUp: () => { readonly username: string } = userInfo): string {
  try {
    return lookUp().username;
  } catch (error) {
    const isNameless = error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR';
    if (!isNameless || !process.getuid) throw error;
    return `uid ${process.getuid()}`;
  }
}
