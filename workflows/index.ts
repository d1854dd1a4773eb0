export { janitor } from './janitor.ts';
export { launch } from './launch.ts';
export { sweep } from './sweep.ts';
