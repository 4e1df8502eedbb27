// What needs no editor, for the tests.
export * from "./locate";
export * from "./texts";
