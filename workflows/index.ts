export { janitor } from './janitor.ts';
export { launch } from './launch.ts';
