// Validates the document that is the argument, with all its references followed.
import SwaggerParser from "@apidevtools/swagger-parser";

try {
  await SwaggerParser.validate(process.argv[2]);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
