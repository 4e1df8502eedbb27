import js from "@eslint/js";
import tseslint from "typescript-eslint";

const node = { console: "readonly", process: "readonly", URL: "readonly", setTimeout: "readonly", document: "readonly", window: "readonly", navigator: "readonly" };

export default tseslint.config(
  { ignores: ["dist/", "node_modules/"] },
  js.configs.recommended,
  {
    files: ["src/**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: true, tsconfigRootDir: import.meta.dirname } },
    rules: { "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }] },
  },
  { files: ["**/*.mjs"], languageOptions: { globals: node } },
);
