# Vertex shaders in GLSL for projects of devkitPro.
#
# Put it beside the Makefile of a project for the 3DS that has the rules for SHBINs, and include it there:
#
#   - behind the line that sets SOURCES:       include glsl.mk
#   - to the lists of objects and headers:     export OFILES_BIN += $(GLSL_OFILES)
#                                              export HFILES     += $(GLSL_HFILES)
#
# light.vert in a folder of SOURCES then becomes light.shbin, which the rules of the project turn into light_shbin.h and an object, and light.h, which has the
# registers of its inputs and uniforms and the functions that set counts and flags. It needs lanewise and a compiler of GLSL (glslc, glslang-tools or slangpy).

LANEWISE      ?= lanewise
LANEWISEFLAGS ?=

ifeq ($(strip $(SOURCES)),)
$(error glsl.mk: SOURCES is empty here: include glsl.mk behind the line that sets it)
endif

GLSL_FILES  := $(foreach dir,$(SOURCES),$(notdir $(wildcard $(dir)/*.vert)))
GLSL_OFILES := $(GLSL_FILES:.vert=.shbin.o)
GLSL_HFILES := $(GLSL_FILES:.vert=_shbin.h) $(GLSL_FILES:.vert=.h)

.PRECIOUS: %.shbin

%.shbin %.h: %.vert
	$(LANEWISE) compile $< --target pica200 -o $*.shbin --header $*.h $(LANEWISEFLAGS)

%.shbin %.h: %.spv
	$(LANEWISE) compile $< --target pica200 -o $*.shbin --header $*.h $(LANEWISEFLAGS)
