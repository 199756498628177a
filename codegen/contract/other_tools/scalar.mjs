// Validates the document that is the argument, as Scalar does before it shows one.
import { readFileSync } from "node:fs";
import { validate } from "@scalar/openapi-parser";

const { valid, errors } = await validate(readFileSync(process.argv[2], "utf8"));
if (!valid) {
  console.error(errors.map(({ path, message }) => `${path ?? ""} ${message}`.trim()).join("\n"));
  process.exit(1);
}
