/** Names the part of the program that makes the spans. */
export const TRACER_NAME = 'palisade.storage';
