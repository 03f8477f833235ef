export { memoized } from '@zonewright/engine/internals';
