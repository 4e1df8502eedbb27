// What needs no editor, for the tests.
export * from "./addresses";
export * from "./locate";
export * from "./texts";
